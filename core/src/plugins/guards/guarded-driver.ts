import { Readable } from 'node:stream';
import type { BackupDriver, OperationOptions } from '@holdfast/plugin-api/driver';
import { reasonOf, withinTime } from '../../kernel/index.js';
import { driverFailure, isResult } from './driver-failure.js';
import { guardedOptions } from './driver-options.js';
import type { Guarded } from './guarded.js';

/** Milliseconds. */
const driverTimes = {
  /** For operations that concern only this machine. */
  look: 30_000,
  /** From abort to end: the tool may be signalled three times. */
  abort: 60_000,
};

type Work = (...args: unknown[]) => unknown;

const checks: ReadonlySet<PropertyKey> = new Set(['checkCustomFlags', 'checkPull']);
const looks: ReadonlySet<PropertyKey> = new Set(['version', 'lockHolder', 'endProcess', 'forget']);

/** Makes every failure a DriverError, checks every answer, and abandons operations that do not end after an abort. */
export function guardedDriver(driver: BackupDriver, guarded: Guarded, times = driverTimes): BackupDriver {
  const make = (method: PropertyKey, work: Work): Work => {
    if (method === 'listEntries') return guardedEntries(work, guarded);
    if (method === 'readFile') return guardedFile(work, guarded);
    if (checks.has(method)) return checked(work, guarded);
    if (looks.has(method)) return looked(String(method), work, { guarded, ms: times.look });
    return operation(String(method), work, { guarded, ms: times.abort });
  };
  const made = new Map<PropertyKey, Work>();
  return new Proxy(driver, {
    get(inner, method) {
      const member: unknown = Reflect.get(inner, method, inner);
      if (typeof member !== 'function') return member;
      const known = made.get(method) ?? make(method, member.bind(inner));
      made.set(method, known);
      return known;
    },
  });
}

interface Bounds {
  guarded: Guarded;
  ms: number;
}

function checked(work: Work, { name, log }: Guarded): Work {
  return (...args) => {
    try {
      const problems = work(...args);
      if (Array.isArray(problems) && problems.every((one) => typeof one === 'string')) return problems;
      log.warn('a driver answered with something other than a list of problems', { answer: typeof problems });
      return [`${name} could not check this.`];
    } catch (error) {
      return [`${name} could not check this: ${reasonOf(error)}.`];
    }
  };
}

function looked(method: string, work: Work, { guarded, ms }: Bounds): Work {
  const late = () => new Error(`no answer to ${method} within ${ms / 1000} s`);
  return async (...args) => {
    try {
      return await withinTime(ms, () => work(...args), late);
    } catch (error) {
      throw driverFailure(error, guarded);
    }
  };
}

function operation(method: string, work: Work, { guarded, ms }: Bounds): Work {
  return async (target, input, given) => {
    const own = guardedOptions(given as OperationOptions | undefined, guarded);
    try {
      const result = await untilLeft({ signal: own.options.signal, ms }, async () =>
        work(target, input, own.options),
      );
      if (isResult(result)) return result;
      throw new Error(`it answered ${method} in a form that the port does not allow`);
    } catch (error) {
      throw own.threw(error) ? error : driverFailure(error, guarded, own.options.signal);
    }
  };
}

/** Stops waiting for an operation that does not end after an abort, so that its caller can go on. */
async function untilLeft<T>(
  { signal, ms }: { signal: AbortSignal | undefined; ms: number },
  work: () => Promise<T>,
): Promise<T> {
  if (!signal) return work();
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const left = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(new Error(`it did not end within ${ms / 1000} s`)), ms);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work(), left]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Lists entries in batches; every failure is a DriverError. */
function guardedEntries(work: Work, guarded: Guarded): Work {
  return async function* (...args) {
    try {
      for await (const batch of work(...args) as AsyncIterable<unknown>) {
        if (!Array.isArray(batch)) throw new Error('it listed something other than entries');
        yield batch;
      }
    } catch (error) {
      throw driverFailure(error, guarded);
    }
  };
}

/** Returns the stream itself. Until someone listens, its errors must not end the process. */
function guardedFile(work: Work, guarded: Guarded): Work {
  return (...args) => {
    try {
      const stream = work(...args);
      if (!(stream instanceof Readable)) throw new Error('it returned no stream of the file');
      stream.on('error', () => undefined);
      return stream;
    } catch (error) {
      const failed = new Readable({ read: () => undefined });
      failed.on('error', () => undefined);
      return failed.destroy(driverFailure(error, guarded));
    }
  };
}
