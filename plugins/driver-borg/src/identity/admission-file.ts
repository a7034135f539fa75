import { open } from 'node:fs/promises';
import type { KeyFiles } from '../key-files.js';
import { tryLock } from '../locks/lock-identity.js';

/** Lets a tool that was started already wait before it connects to the other host. */
export interface AdmissionFile {
  /** Stands before the program that connects. It ends without having begun when it is refused, or this process dies. */
  prefix: string[];
  /** Never rejects. */
  answer(allowed: boolean): Promise<void>;
  remove(): Promise<void>;
}

/** The kernel lets the waiting one go when this process gives the lock back; what is in the file then is the answer. */
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
    if (allowed) await file.write('yes').catch(() => {}); // What could not be written is a refusal.
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
