import { PluginError } from './plugin-error.js';

/**
 * Looks on from outside of this thread: code in an endless loop lets no timer of the thread come to its turn. Told of a
 * step before it begins, and of its sentence; the function that it gives back is called with each sign of life (true) and
 * at the end of the step (false).
 */
export type StepWatch = (sentence: string, ms: number) => (goesOn: boolean) => void;

export interface PluginStep<T> {
  /** What a step that hangs did, without a period: `chat took more than 5 s to start`. */
  late: string;
  /** How long it may last without a sign of life. */
  ms: number;
  /** How long it may last with them; default: no longer. */
  mostMs?: number;
  watch?: StepWatch | undefined;
  work(stillWorking: () => void): T | Promise<T>;
  failed(cause: unknown): PluginError;
}

/** Runs one step of one plugin. PluginError: `timed_out`, what `failed` makes, or that of the step itself. */
export async function runStep<T>({ late, ms, mostMs = ms, watch, work, failed }: PluginStep<T>): Promise<T> {
  const watcher = watch?.(`${late}.`, ms);
  const limits: NodeJS.Timeout[] = [];
  const limit = new Promise<never>((_, reject) => {
    const end = (sentence: string) => () => reject(new PluginError('timed_out', sentence));
    limits.push(setTimeout(end(`${late}.`), ms));
    if (mostMs > ms)
      limits.push(setTimeout(end(`${late}: it was still at it after ${mostMs / 1000} s.`), mostMs));
  });
  const stillWorking = () => {
    if (mostMs <= ms) return;
    limits[0]?.refresh();
    watcher?.(true);
  };
  try {
    return await Promise.race([Promise.resolve().then(() => work(stillWorking)), limit]);
  } catch (error) {
    throw error instanceof PluginError ? error : failed(error);
  } finally {
    for (const each of limits) clearTimeout(each);
    watcher?.(false);
  }
}
