import { open } from 'node:fs/promises';
import type { KeyFiles } from '../key-files.js';
import { tryLock } from '../locks/lock-identity.js';

/** Makes a tool that is already running wait before it connects to the other host. */
export interface AdmissionFile {
  /**
   * Placed before the program that connects. It ends without having begun if it is not admitted or this process dies.
   */
  prefix: string[];
  /** Never rejects. */
  answer(allowed: boolean): Promise<void>;
  remove(): Promise<void>;
}

/** The waiting process continues when this process releases the lock; the file then contains the answer. */
export async function makeAdmissionFile(keyFiles: KeyFiles): Promise<AdmissionFile | null> {
  const { path, remove } = await keyFiles.make('');
  const file = await open(path, 'r+');
  if ((await tryLock(file)) !== 'locked') {
    await file.close();
    await remove();
    return null;
  }
  let answered = false;
  const answer = async (allowed: boolean) => {
    if (answered) return;
    answered = true;
    if (allowed) await file.write('yes').catch(() => {}); // A failed write means no.
    await file.close();
  };
  return {
    prefix: ['/bin/sh', '-c', 'flock -s "$0" test -s "$0" && exec "$@"', path],
    answer,
    remove: async () => {
      await answer(false);
      await remove();
    },
  };
}
