import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { assertText, repositoryArgument } from '../location.js';
import { runToolOrThrow } from '../run-tool.js';
import { listArchives } from './list-archives.js';

const mostPerCommand = 500;

/** borg ignores unknown names, or only warns, so existing names are looked up first. */
export const deleteArchives =
  (context: BorgContext): BackupDriver['deleteArchives'] =>
  async (target, { archives }, options = {}) => {
    for (const name of archives) assertText(name, 'name of the archive');
    const listed = await listArchives(context)(
      target,
      { checkpoints: true },
      { ...options, bypassLock: false },
    );
    const present = new Set(listed.value.map((archive) => archive.name));
    const wanted = [...new Set(archives)];
    const deleted = wanted.filter((name) => present.has(name));
    const missing = wanted.filter((name) => !present.has(name));
    const warnings: string[] = [];
    for (let from = 0; from < deleted.length; from += mostPerCommand) {
      // Unlike a location, these names are literal, without placeholders.
      const args = [repositoryArgument(target.location), ...deleted.slice(from, from + mostPerCommand)];
      const command = { verb: ['delete'], args, writes: true, progress: true };
      warnings.push(...(await runToolOrThrow({ context, target, command, options })).warnings);
    }
    return { value: { deleted, missing }, warnings };
  };
