import { Readable } from 'node:stream';
import { type Encryption, isDriverError } from '@holdfast/plugin-api/driver';
import { AppError, inTransaction, invalid, notFound, say } from '../../foundation/kernel/index.js';
import type { RepositoriesNeeds } from './needs.js';
import { openTarget, protectSecrets, sealSecrets } from './open-target.js';
import { findRepository } from './repositories.js';
import { type RepositoryRow, repositories } from './tables.js';
import { toolFailure } from './tool-failure.js';

/** The exported key as a download. Throws AppError `invalid` without encryption, `not_found` without the key file. */
export async function downloadKeyFile(needs: RepositoriesNeeds, id: number) {
  const row = await findRepository(needs.storage, { repository_id: id });
  if (row.encryption === 'none') {
    throw invalid(
      say`repository_not_encrypted: This repository is not encrypted, so it has no key to export.`,
    );
  }
  if (hasKeyFile(row.encryption) && row.key_file === null) throw notFound(noKeyFile());
  const { target, release } = openTarget(needs, row);
  try {
    const { value } = await needs.driver.exportKey(target, {});
    const content = Buffer.from(value.text, 'utf8');
    return {
      fileName: keyFileName(row.path),
      contentType: 'text/plain; charset=utf-8',
      size: content.length,
      stream: Readable.from([content]),
    };
  } catch (error) {
    throw exportFailure(error);
  } finally {
    release();
  }
}

const noKeyFile = () =>
  say`key_file_not_stored: Holdfast does not have the key file of this repository: upload it with POST /api/repositories/{id}/keyfile.`;

/** A missing repository is not an error in the request. */
function exportFailure(error: unknown): unknown {
  if (isDriverError(error, 'key_missing')) return notFound(noKeyFile(), { cause: error });
  if (isDriverError(error, 'repository_missing') || isDriverError(error, 'not_a_repository')) {
    return new AppError(
      'internal',
      say`repository_not_at_path: The repository is no longer at its path: mount it, or correct the path.`,
      { cause: error },
    );
  }
  return toolFailure(error);
}

/**
 * Stores the key file of a `keyfile*` repository after the tool confirmed that it belongs to it. Throws AppError
 * `invalid`.
 */
export async function uploadKeyFile(needs: RepositoriesNeeds, id: number, content: Uint8Array | null) {
  const row = await findRepository(needs.storage, { repository_id: id });
  if (!hasKeyFile(row.encryption)) {
    throw invalid(
      say`encryption_without_key_file: Encryption ${{ encryption: row.encryption }} has no key file, so there is nothing to upload.`,
    );
  }
  const keyFile = await acceptedText(needs, row, textOf(content));
  const { key_file } = sealSecrets(needs.secrets, row.uid, { passphrase: null, keyFile });
  const event = await inTransaction(needs.storage, async (session) => {
    const fresh = await findRepository(session, { repository_id: id });
    const updated_at = Math.max(needs.clock.now(), fresh.updated_at + 1);
    await session.update(repositories, { id }, { key_file, updated_at, credentials_at: updated_at });
    const data = { name: row.name, fields: ['keyfile'] };
    return needs.events.record(session, { kind: 'repository_updated', repositoryId: id, jobId: null, data });
  });
  needs.events.announce([event]);
  return { success: true as const, message: 'The key file was stored.', keyfile_name: keyFileName(row.path) };
}

function textOf(content: Uint8Array | null): string {
  if (content === null)
    throw invalid(say`key_file_not_sent: Send the key file as the multipart part \`keyfile\`.`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    if (text.trim() !== '') return text;
  } catch (cause) {
    throw invalid(say`key_file_not_text: This is not a key file: it is not text.`, { cause });
  }
  throw invalid(say`key_file_empty: The key file is empty: send the file that Borg exported.`);
}

async function acceptedText(needs: RepositoriesNeeds, row: RepositoryRow, text: string): Promise<string> {
  const release = protectSecrets(needs.redactor, { passphrase: null, keyFile: text });
  const opened = openTarget(needs, row);
  try {
    return (await needs.driver.importKey(opened.target, { text })).value.keyFile;
  } catch (error) {
    throw toolFailure(error);
  } finally {
    opened.release();
    release();
  }
}

/** True for encryptions that keep their key in a file outside the repository. */
export const hasKeyFile = (encryption: Encryption): boolean => encryption.startsWith('keyfile');

/** A recognizable file name: `/backups/home` becomes `backups_home.key`. */
function keyFileName(path: string): string {
  const plain = path.replace(/^\/+/, '').replace(/[^A-Za-z0-9_.-]/g, '_');
  return `${plain.slice(-200) || 'repository'}.key`;
}
