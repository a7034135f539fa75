import { type BackupDriver, DriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { Command } from '../command.js';
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

/** borg replaces the file with the key, in the repository or outside of it, in one step. */
export const changePassphrase =
  (context: BorgContext): BackupDriver['changePassphrase'] =>
  async (target, { passphrase }, options = {}) => {
    const key = target.keyFile === null ? undefined : await context.keyFiles.make(target.keyFile);
    try {
      const args = [repositoryArgument(target.location)];
      const verb = ['key', 'change-passphrase'];
      const secrets = passphrasesFor(target.passphrase ?? '', passphrase);
      const command = { verb, args, writes: true, ...secrets, ...(key && { key }) };
      const { warnings } = await runToolOrThrow({ context, target, command, options });
      return { value: { keyFile: (await key?.read()) ?? null }, warnings };
    } finally {
      await key?.remove();
    }
  };

/**
 * Of a new passphrase borg reads no descriptor, and its environment would show it to other programs of the user. Without
 * a terminal it reads its questions' answers, a line each, from its input: the old one, and the new one twice.
 */
const passphrasesFor = (old: string, next: string): Pick<Command, 'answers' | 'input'> => {
  if (/[\r\n]/.test(old + next)) return { answers: { BORG_NEW_PASSPHRASE: next } };
  const lines = Buffer.from(`${old}\n${next}\n${next}\n`);
  const input = {
    async *[Symbol.asyncIterator]() {
      yield lines;
    },
  };
  return { answers: { BORG_PASSPHRASE_FD: '' }, input };
};

const repositoryId = (target: RepositoryTarget, signal?: AbortSignal) =>
  isRemote(target.location) ? remoteId(target, signal) : localId(target.location);

const foreignKey = () => new DriverError('usage', 'This key file belongs to another repository.');
