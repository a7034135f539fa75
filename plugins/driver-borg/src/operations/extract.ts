import { type BackupDriver, DriverError } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { archiveArgument } from '../location.js';
import { exactPathPattern, exactPatterns, treePattern } from '../path-pattern.js';
import { runToolOrThrow } from '../run-tool.js';
import { ExtractWatch } from './extract-watch.js';

export const extract =
  (context: BorgContext): NonNullable<BackupDriver['extract']> =>
  async (target, input, options = {}) => {
    const { archive, paths, folder, exact = false, exclude = [], numericOwners = false } = input;
    const watch = new ExtractWatch(input);
    const signal = options.signal ? AbortSignal.any([options.signal, watch.signal]) : watch.signal;
    const cell = await context.confinement.cell(target.location);
    const patterns = exact ? exactPatterns(paths) : paths.map(treePattern);
    const args = [archiveArgument(cell?.location ?? target.location, archive), ...patterns];
    const flags = [
      '--sparse',
      ...(exact ? ['--noflags', '--noacls', '--noxattrs'] : []),
      ...(numericOwners ? ['--numeric-ids'] : []),
      ...exclude.map((path) => `--exclude=${exactPathPattern(path)}`),
    ];
    const command = { verb: ['extract'], flags, args, progress: true, folder, cell };
    const call = { context, target, command, options: { ...options, signal, ...watch.listeners(options) } };
    const run = await runToolOrThrow(call).catch(async (error: unknown) => {
      await watch.settled();
      throw options.signal?.aborted ? error : (watch.problem ?? error);
    });
    await watch.settled();
    if (watch.problem) throw watch.problem;
    if (run.warnings.some((text) => text.endsWith(' never matched.')))
      throw new DriverError('path_missing', 'A chosen path is not in the archive.');
    return { value: null, warnings: watch.named(run.warnings) };
  };
