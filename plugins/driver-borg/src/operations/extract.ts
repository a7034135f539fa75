import { type BackupDriver, DriverError, type ToolLogLine } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { archiveArgument } from '../location.js';
import { exactPatterns, treePattern } from '../path-pattern.js';
import { runToolOrThrow } from '../run-tool.js';

/** borg continues after each file that does not fit on a full disk, and only warns. */
const fullDisk = /\[Errno (28|122)\]|No space left on device|Disk quota exceeded/;

const noSpace = (): DriverError =>
  new DriverError('no_space', 'The disk of the target is full. Free space there, or choose another target.');

export const extract =
  (context: BorgContext): NonNullable<BackupDriver['extract']> =>
  async (target, { archive, paths, folder, exact = false }, options = {}) => {
    const full = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, full.signal]) : full.signal;
    const onLog = (line: ToolLogLine) => {
      options.onLog?.(line);
      if (line.level !== 'info' && fullDisk.test(line.text)) full.abort();
    };
    const cell = await context.confinement.cell(target.location);
    const patterns = exact ? exactPatterns(paths) : paths.map(treePattern);
    const args = [archiveArgument(cell?.location ?? target.location, archive), ...patterns];
    const flags = ['--sparse', ...(exact ? ['--noflags', '--noacls', '--noxattrs'] : [])];
    const command = { verb: ['extract'], flags, args, progress: true, folder, cell };
    const call = { context, target, command, options: { ...options, signal, onLog } };
    const run = await runToolOrThrow(call).catch((error: unknown) => {
      throw full.signal.aborted && !options.signal?.aborted ? noSpace() : error;
    });
    if (full.signal.aborted) throw noSpace();
    if (run.warnings.some((text) => text.endsWith(' never matched.')))
      throw new DriverError('path_missing', 'A chosen path is not in the archive.');
    return { value: null, warnings: run.warnings };
  };
