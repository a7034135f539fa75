import type { ToolProcess } from '@holdfast/plugin-api/driver';
import { archiveInput } from './expect.js';
import type { Scene } from './harness.js';
import { makeEndlessSource } from './trees.js';

export interface RunningBackup {
  process: ToolProcess;
  /** Ends it; never rejects. */
  end(): Promise<void>;
  /** The operation's own promise. */
  result: Promise<unknown>;
  abort(): void;
}

/** A backup that has begun to read its source and would run for a minute. */
export async function startEndlessBackup({ driver, target, folder }: Scene): Promise<RunningBackup> {
  const source = await makeEndlessSource(folder);
  const controller = new AbortController();
  let process: ToolProcess | undefined;
  let result: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    result = driver.createArchive(target, archiveInput([source], 'endless'), {
      signal: controller.signal,
      onProcess: (started) => {
        process = started;
      },
      onProgress: ({ originalSize = 0 }) => {
        if (originalSize > 0) resolve();
      },
    });
    result.then(() => reject(new Error('the backup of an endless source ended')), reject);
  });
  if (process === undefined) throw new Error('onProcess was not called before the first progress');
  const abort = () => controller.abort();
  const end = async () => {
    abort();
    await result.catch(() => {});
  };
  return { process, end, result, abort };
}
