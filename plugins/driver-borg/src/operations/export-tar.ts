import { type BackupDriver, DriverError } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { archiveArgument } from '../location.js';
import { treePattern } from '../path-pattern.js';
import type { ToolExit } from '../process.js';
import { neverMatched, streamOfTool } from './tool-stream.js';

/** Sockets, for example: tar has no such entries. */
const leftOut = / unsupported file type /;

export const exportTar =
  (context: BorgContext): NonNullable<BackupDriver['exportTar']> =>
  (target, { archive, paths }, options = {}) => {
    const args = [archiveArgument(target.location, archive), '-', ...paths.map(treePattern)];
    const command = { verb: ['export-tar'], args };
    return streamOfTool(context, { target, command, options, judge });
  };

function judge(exit: ToolExit): void {
  if (neverMatched(exit)) throw new DriverError('path_missing', 'A chosen path is not in the archive.');
  const serious = exit.log.warnings.find(({ text }) => !leftOut.test(text));
  if (serious) throw new DriverError('damaged', serious.text, { exitCode: exit.code });
}
