import type { Log } from '@holdfast/plugin-api';

export interface LogEntry {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  fields?: object;
}

/** A log that keeps what it was told in `entries`; children share it. */
export function silentLog(): Log & { entries: LogEntry[] } {
  const entries: LogEntry[] = [];
  const write = (level: LogEntry['level']) => (message: string, fields?: object) => {
    entries.push({ level, message, fields });
  };
  const log = {
    entries,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => log,
  };
  return log;
}
