const deepest = 6;
/** Maximum number of nested values of one logged value. */
const mostParts = 2_000;

/**
 * Copies a value to plain JSON values, including errors with their causes, and redacts every string. Bounded,
 * and never throws: plugins may throw anything, and it is logged.
 */
export function plainValue(value: unknown, redact: (text: string) => string): unknown {
  return new PlainCopy(redact).of(value, []);
}

class PlainCopy {
  #parts = 0;

  constructor(private readonly redact: (text: string) => string) {}

  of(value: unknown, around: readonly object[]): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'function' || typeof value === 'symbol') return undefined;
    if (typeof value !== 'object' || value === null) return value;
    if (around.includes(value) || around.length >= deepest || ++this.#parts > mostParts) return '…';
    try {
      return this.#ofObject(value, [...around, value]);
    } catch {
      return 'unreadable value';
    }
  }

  #ofObject(value: object, around: readonly object[]): unknown {
    const inner = (part: unknown) => this.of(part, around);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (value instanceof Error) return inner(errorFields(value));
    if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
    if (Array.isArray(value)) return value.map(inner);
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]));
  }
}

const errorFields = (error: Error & { options?: unknown }) => ({
  ...error,
  ...('options' in error ? { options: withoutCause(error.options) } : {}),
  name: error.name,
  message: error.message,
  stack: error.stack,
  ...(error.cause === undefined ? {} : { cause: error.cause }),
});

/** The cause is a field of the error already. */
const withoutCause = (options: unknown) =>
  typeof options === 'object' && options !== null ? { ...options, cause: undefined } : options;
