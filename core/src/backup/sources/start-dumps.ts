import { once } from 'node:events';
import type { Dump, Output } from '@holdfast/plugin-api/source';

/** Each holds a connection until it is read. */
const mostStarted = 16;

/** A dump that can be started before it is read. */
export interface StartableDump extends Dump {
  /** Resolves with its first byte, or at its end. */
  start(signal: AbortSignal): Promise<void>;
}

export function startable(dump: Dump): StartableDump {
  const stop = new AbortController();
  let started: Promise<Output> | null = null;
  return {
    ...dump,
    async start(signal) {
      started = dump.open(AbortSignal.any([signal, stop.signal]));
      const { output, code } = await started;
      code.catch(() => {});
      // Node drops what nobody reads when a program ends, unless somebody listens.
      output.on('readable', () => {});
      await once(output, 'readable', { signal });
    },
    open(signal, to) {
      if (started === null) return dump.open(signal, to);
      const first = started;
      started = null;
      signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true });
      return first;
    },
  };
}

/**
 * Starts all dumps if each has the content of its start. Returns whether what was stopped for them can run again. A dump
 * that fails is reported when it is read.
 */
export async function startAll(
  dumps: readonly StartableDump[],
  { signal, stalledSeconds }: { signal: AbortSignal; stalledSeconds: number },
): Promise<boolean> {
  if (dumps.length === 0 || dumps.length > mostStarted || !dumps.every(({ fixedAtStart }) => fixedAtStart))
    return false;
  const late = AbortSignal.timeout(stalledSeconds * 1000);
  try {
    for (const dump of dumps) await Promise.race([dump.start(signal), once(late, 'abort')]);
    return !late.aborted;
  } catch {
    return false;
  }
}
