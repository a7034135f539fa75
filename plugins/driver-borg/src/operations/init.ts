import {
  type BackupDriver,
  DriverError,
  type DriverErrorKind,
  type OperationOptions,
  type RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import type { KeyFile } from '../key-files.js';
import { isRemote, repositoryArgument } from '../location.js';
import { parseJson } from '../parse/json.js';
import { claimPlace } from '../place.js';
import { runTool, runToolOrThrow } from '../run-tool.js';
import { destroy } from './destroy.js';
import { forget } from './forget.js';

interface Making {
  context: BorgContext;
  target: RepositoryTarget;
  options: OperationOptions;
  key: KeyFile;
}

async function make({ context, target, options, key }: Making, encryption: string): Promise<string> {
  const args = [repositoryArgument(target.location)];
  const flags = [`--encryption=${encryption}`, '--make-parent-dirs'];
  const command = { verb: ['init'], flags, args, writes: true, key };
  await runToolOrThrow({ context, target, command, options });
  const listing = { verb: ['list'], flags: ['--json'], args, key };
  const { output } = await runToolOrThrow({ context, target, command: listing, options });
  return parseJson<{ repository: { id: string } }>(output).repository.id;
}

export const init =
  (context: BorgContext): BackupDriver['init'] =>
  async (target, { encryption }, options = {}) => {
    repositoryArgument(target.location);
    const place = await claimPlace(target.location);
    const isKeyFile = encryption.startsWith('keyfile');
    const key = await context.keyFiles.make(null);
    try {
      const id = await make({ context, target, options, key }, encryption);
      const keyFile = isKeyFile ? await key.read() : null;
      if (isKeyFile && keyFile === null) throw new DriverError('failed', 'Borg did not create a key file.');
      place.release();
      return { value: { id, keyFile }, warnings: [] };
    } catch (error) {
      await place.undo();
      if (isRemote(target.location)) await undoRemote({ context, target, options: {}, key }, error);
      await forget(context)(target);
      throw error;
    } finally {
      await key.remove();
    }
  };

const notBegun: ReadonlySet<DriverErrorKind> = new Set([
  'repository_exists',
  'path_not_empty',
  'connection',
  'host_key_changed',
  'tool_missing',
  'usage',
]);

/**
 * borg leaves its folder behind if the remote disk fills up while it creates a repository. Only a folder without a
 * manifest is removed: nobody can have used it. Failures here are ignored.
 */
async function undoRemote({ context, target, options, key }: Making, error: unknown): Promise<void> {
  if (error instanceof DriverError && notBegun.has(error.kind)) return;
  const args = [repositoryArgument(target.location)];
  try {
    const { exit } = await runTool({ context, target, command: { verb: ['list'], args, key }, options });
    if (exit.log.errors.some(({ msgid }) => msgid === 'NoManifestError'))
      await destroy(context)(target, {}, options);
  } catch {
    // The first failure is the one to report.
  }
}
