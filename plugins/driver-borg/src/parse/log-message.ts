import type { ToolLogLine, ToolProgress } from '@holdfast/plugin-api/driver';
import { parseProgress } from './progress.js';

/** One line of the tool's `--log-json` output, or plain text from the tool or its launcher. */
export type ToolMessage =
  | { kind: 'progress'; progress: ToolProgress }
  | { kind: 'log'; level: ToolLogLine['level']; text: string; msgid: string | null }
  | { kind: 'plain'; text: string }
  | { kind: 'none' };

const levels: Record<string, ToolLogLine['level']> = {
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warning',
  ERROR: 'error',
  CRITICAL: 'error',
};

export function parseLogLine(line: string): ToolMessage {
  const data = line.startsWith('{') ? parseObject(line) : null;
  if (data === null) return { kind: 'plain', text: line };
  if (data.type === 'log_message') return logMessage(data);
  if (typeof data.type === 'string' && data.type.startsWith('question_')) return question(data);
  const progress = parseProgress(data);
  return progress === null ? { kind: 'none' } : { kind: 'progress', progress };
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const data: unknown = JSON.parse(line);
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function logMessage(data: Record<string, unknown>): ToolMessage {
  return {
    kind: 'log',
    level: levels[text(data.levelname)] ?? 'info',
    text: text(data.message).trim(),
    msgid: typeof data.msgid === 'string' ? data.msgid : null,
  };
}

// All questions are answered by the environment or by "no"; a failure that follows has its own message.
function question(data: Record<string, unknown>): ToolMessage {
  const message = text(data.message).trim();
  return message === '' ? { kind: 'none' } : { kind: 'log', level: 'info', text: message, msgid: null };
}
