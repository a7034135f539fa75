import { sshConnections } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findSystemKey } from './system-key.js';
import { publishKeyFiles } from './write-key-files.js';

/** At start-up: the files of the system key, and tests that an earlier run did not end. Never rejects. */
export async function prepareSsh(
  needs: Pick<Dependencies, 'storage' | 'secrets' | 'sshFiles' | 'log'>,
): Promise<void> {
  const { storage, sshFiles, log } = needs;
  try {
    await storage.update(sshConnections, { status: 'testing' }, { status: 'unknown' });
    const key = await findSystemKey(storage);
    if (key) await publishKeyFiles(needs, key);
    else await sshFiles.removeKeyPairs();
  } catch (error) {
    log.error('the files of the SSH key could not be brought up to date', { error });
  }
}
