import { inspect } from 'node:util';

const maxLength = 500;
const noReason = 'it gave no reason';

/** Describes what was thrown in one line without a final period. Never throws, whatever plugins throw. */
export function reasonOf(cause: unknown): string {
  try {
    const line = textOf(cause).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
    if (line === '') return noReason;
    return line.length <= maxLength ? line : `${line.slice(0, maxLength)}…`;
  } catch {
    return "the reason it gave can't be read";
  }
}

function textOf(cause: unknown): string {
  if (cause === undefined || cause === null) return noReason;
  if (typeof cause === 'string') return cause;
  const { message } = cause as { message?: unknown };
  if (typeof message === 'string' && message !== '') {
    return cause instanceof SyntaxError ? `${cause.name}: ${message}` : message;
  }
  if (cause instanceof Error) return String(cause.name);
  return inspect(cause, { depth: 1, breakLength: Number.POSITIVE_INFINITY, customInspect: false });
}
