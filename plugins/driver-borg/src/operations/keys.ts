import { type BackupDriver, DriverError } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { repositoryArgument } from '../location.js';
import { idOfKeyText } from '../parse/key-text.js';
import { runToolOrThrow } from '../run-tool.js';

export const exportKey =
  (context: BorgContext): BackupDriver['exportKey'] =>
  async (target, _input, options = {}) => {
    const command = { verb: ['key', 'export'], args: [repositoryArgument(target.location)] };
    const { output, warnings } = await runToolOrThrow({ context, target, command, options });
    return { value: { text: output }, warnings };
  };

/** Exporting a repository's key requires the key file of that very repository, and takes no lock. */
export const importKey =
  (context: BorgContext): BackupDriver['importKey'] =>
  async (target, { text }, options = {}) => {
    const keyFile = text.replace(/\r\n/g, '\n').trimEnd().concat('\n');
    const id = idOfKeyText(keyFile);
    if (id === null)
      throw new DriverError(
        'usage',
        'This is not a complete borg key file: it needs BORG_KEY and an id in its first line, then the whole key.',
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
