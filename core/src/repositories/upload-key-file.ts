import { invalid } from '../kernel/errors.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { type RepositoryRow, repositories } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findRepository } from './find-repository.js';
import { hasKeyFile } from './key-file-encryption.js';
import { keyFileName } from './key-file-name.js';
import { openTarget } from './open-target.js';
import { protectSecrets, sealSecrets } from './repository-secrets.js';
import { toolFailure } from './tool-failure.js';

type Needs = Pick<Dependencies, 'storage' | 'driver' | 'secrets' | 'redactor' | 'events' | 'clock'>;

/**
 * Stores the key file of a `keyfile*` repository, after the tool said that it belongs to it. AppError
 * `invalid`.
 */
export const uploadKeyFile = (needs: Needs) => async (id: number, content: Uint8Array | null) => {
  const row = await findRepository(needs.storage, { repository_id: id });
  if (!hasKeyFile(row.encryption)) {
    throw invalid(`Encryption ${row.encryption} has no key file: there is nothing to upload.`);
  }
  const keyFile = await acceptedText(needs, row, textOf(content));
  const { key_file } = sealSecrets(needs.secrets, row.uid, { passphrase: null, keyFile });
  const event = await inTransaction(needs.storage, async (session) => {
    const fresh = await findRepository(session, { repository_id: id });
    const updated_at = Math.max(needs.clock.now(), fresh.updated_at + 1);
    await session.update(repositories, { id }, { key_file, updated_at });
    const data = { name: row.name, fields: ['keyfile'] };
    return needs.events.record(session, { kind: 'repository_updated', repositoryId: id, jobId: null, data });
  });
  needs.events.announce([event]);
  return { success: true as const, message: 'The key file was stored.', keyfile_name: keyFileName(row.path) };
};

function textOf(content: Uint8Array | null): string {
  if (content === null) throw invalid('Send the key file as the multipart part `keyfile`.');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    if (text.trim() !== '') return text;
  } catch (cause) {
    throw invalid('This is not a key file: it is not text.', { cause });
  }
  throw invalid('The key file is empty: send the file that the backup tool exported.');
}

async function acceptedText(needs: Needs, row: RepositoryRow, text: string): Promise<string> {
  const release = protectSecrets(needs.redactor, { passphrase: null, keyFile: text });
  const opened = openTarget(needs)(row);
  try {
    return (await needs.driver.importKey(opened.target, { text })).value.keyFile;
  } catch (error) {
    throw toolFailure(error);
  } finally {
    opened.release();
    release();
  }
}
