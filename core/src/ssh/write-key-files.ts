import type { SshKeyRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { openPrivateKey } from './system-key.js';

type Needs = Pick<Dependencies, 'secrets' | 'sshFiles'>;

/** Writes the pair to disk. `problem`: why it does not stand in the SSH folder. */
export const writeKeyFiles = (
  { secrets, sshFiles }: Needs,
  key: SshKeyRow,
): Promise<{ keyFile: string; problem: string | null }> =>
  sshFiles.writeKeyPair({
    type: key.key_type,
    privateKey: openPrivateKey({ secrets }, key),
    publicKey: key.public_key,
  });

/** Writes the pair of a key that was just stored, and logs what is in the way. */
export async function publishKeyFiles(
  needs: Needs & Pick<Dependencies, 'log'>,
  key: SshKeyRow,
): Promise<void> {
  try {
    const { problem } = await writeKeyFiles(needs, key);
    if (problem) needs.log.warn('the SSH key stands in the data directory only', { reason: problem });
  } catch (error) {
    needs.log.error('the files of the SSH key could not be written', { error });
  }
}
