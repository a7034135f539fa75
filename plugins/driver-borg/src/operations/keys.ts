import { type BackupDriver, DriverError } from '@holdfast/core/plugin';
import type { BorgContext } from '../context.js';
import { repositoryArgument } from '../location.js';
import { runToolOrThrow } from '../run-tool.js';

const keyHeader = /^BORG_KEY ([0-9a-f]{64})\n[A-Za-z0-9+/=\n]+$/;

export const exportKey =
  (context: BorgContext): BackupDriver['exportKey'] =>
  async (target, _input, options = {}) => {
    const command = { verb: ['key', 'export'], words: [repositoryArgument(target.location)] };
    const { output, warnings } = await runToolOrThrow({ context, target, command, options });
    return { value: { text: output }, warnings };
  };

/** The export of a repository's key needs the key file to be of that very repository, and takes no lock. */
export const importKey =
  (context: BorgContext): BackupDriver['importKey'] =>
  async (target, { text }, options = {}) => {
    const keyFile = text.replace(/\r\n/g, '\n').trimEnd().concat('\n');
    const id = keyHeader.exec(keyFile)?.[1];
    if (id === undefined)
      throw new DriverError(
        'usage',
        'This is not a borg key file: its first line must be BORG_KEY and an id.',
      );
    try {
      const exported = await exportKey(context)({ ...target, keyFile }, {}, options);
      if (exported.value.text.split('\n')[0] !== `BORG_KEY ${id}`) throw foreignKey();
      return { value: { keyFile }, warnings: exported.warnings };
    } catch (error) {
      throw error instanceof DriverError && error.kind === 'key_missing' ? foreignKey() : error;
    }
  };

const foreignKey = () => new DriverError('usage', 'This key file belongs to another repository.');
