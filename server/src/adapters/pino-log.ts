import type { Redactor } from '@holdfast/core/server';
import type { Log } from '@holdfast/plugin-api';
import { type DestinationStream, type Logger, pino } from 'pino';
import { plainValue } from './plain-value.js';
import { standardOutput } from './standard-output.js';

export interface PinoLogOptions {
  level: 'debug' | 'info' | 'warn' | 'error';
  redactor: Redactor;
  destination?: DestinationStream;
}

/** Writes JSON lines. All strings are redacted first. */
export function makePinoLog({ level, redactor, destination = standardOutput() }: PinoLogOptions): Log {
  const options = {
    level,
    base: undefined,
    messageKey: 'message',
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino(options, destination);
  return wrap(logger, (text) => redactor.redact(text));
}

function wrap(logger: Logger, redact: (text: string) => string): Log {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: object) => {
    if (!logger.isLevelEnabled(level)) return;
    logger[level](plainValue(fields ?? {}, redact) as object, redact(message));
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => wrap(logger.child(plainValue(fields, redact) as object), redact),
  };
}
