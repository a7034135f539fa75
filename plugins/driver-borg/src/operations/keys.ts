import { type BackupDriver, DriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { localId } from '../identity/local-identity.js';
import { remoteId } from '../identity/remote-identity.js';
import { isRemote, repositoryArgument } from '../location.js';
import { keyText, readExportedKey, readKey } from '../parse/key-text.js';
import { runToolOrThrow } from '../run-tool.js';

/** A stranger's repository may hold any amount. */
const mostOutput = 256 * 1024;

export const exportKey =
  (context: BorgContext): BackupDriver['exportKey'] =>
  async (target, _input, options = {}) => {
    const args = [repositoryArgument(target.location)];
    const command = { verb: ['key', 'export'], args, mostOutput };
    const { output, warnings } = await runToolOrThrow({ context, target, command, options });
    const key = readExportedKey(output);
    if (key === null)
      throw new DriverError(
        'failed',
        'The key of the repository is not a valid Borg key: it is damaged or was changed.',
      );
    return { value: { text: keyText(key) }, warnings };
  };

/** Exporting a repository's key requires the key file of that very repository, and takes no lock. */
export const importKey =
  (context: BorgContext): BackupDriver['importKey'] =>
  async (target, { text }, options = {}) => {
    const key = readKey(text);
    if (key === null)
      throw new DriverError(
        'usage',
        'This is not a complete Borg key file: send the output of `borg key export` (plain, --paper or --qr-html).',
      );
    const id = key.id.length === 64 ? key.id : await repositoryId(target, options.signal);
    if (id === null)
      throw new DriverError(
        'usage',
        'A printed key has only part of the id, and the id of the repository could not be read: send the key file.',
      );
    if (!id.startsWith(key.id)) throw foreignKey();
    const keyFile = keyText({ ...key, id });
    try {
      const exported = await exportKey(context)({ ...target, keyFile }, {}, options);
      if (exported.value.text.split('\n')[0] !== `BORG_KEY ${id}`) throw foreignKey();
      return { value: { keyFile }, warnings: exported.warnings };
    } catch (error) {
      throw error instanceof DriverError && error.kind === 'key_missing' ? foreignKey() : error;
    }
  };

const repositoryId = (target: RepositoryTarget, signal?: AbortSignal) =>
  isRemote(target.location) ? remoteId(target, signal) : localId(target.location);

const foreignKey = () => new DriverError('usage', 'This key file belongs to another repository.');
