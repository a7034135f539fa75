import { Readable } from 'node:stream';
import { AppError, invalid, isDriverError, notFound } from '../kernel/errors.js';
import type { Dependencies } from '../dependencies.js';
import { findRepository } from './find-repository.js';
import { hasKeyFile } from './key-file-encryption.js';
import { keyFileName } from './key-file-name.js';
import { openTarget } from './open-target.js';
import { toolFailure } from './tool-failure.js';

/**
 * The exported key as a download. AppError `invalid` without encryption, `not_found` without the key file.
 */
export const downloadKeyFile =
  (needs: Pick<Dependencies, 'storage' | 'driver' | 'secrets' | 'redactor'>) => async (id: number) => {
    const row = await findRepository(needs.storage, { repository_id: id });
    if (row.encryption === 'none') {
      throw invalid('This repository is not encrypted, so it has no key to export.');
    }
    if (hasKeyFile(row.encryption) && row.key_file === null) throw notFound(noKeyFile);
    const { target, release } = openTarget(needs)(row);
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
  };

const noKeyFile =
  'The key file of this repository is not known here: upload it with POST /api/repositories/{id}/keyfile.';

/** The request is right: that the repository is not there now is no fault of it. */
function exportFailure(error: unknown): unknown {
  if (isDriverError(error, 'key_missing')) return notFound(noKeyFile, { cause: error });
  if (isDriverError(error, 'repository_missing') || isDriverError(error, 'not_a_repository')) {
    return new AppError(
      'internal',
      'The repository is not at its path any more: mount it, or correct the path.',
      {
        cause: error,
      },
    );
  }
  return toolFailure(error);
}
