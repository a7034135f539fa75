import { type BackupDriver, DriverError } from '@holdfast/plugin-api/driver';
import type { BorgContext } from '../context.js';
import { archiveArgument } from '../location.js';
import { exactPathPattern } from '../path-pattern.js';
import type { ToolExit } from '../process.js';
import { neverMatched, streamOfTool } from './tool-stream.js';

export const readFile =
  (context: BorgContext): BackupDriver['readFile'] =>
  (target, { archive, path }, options = {}) => {
    const args = [archiveArgument(target.location, archive), exactPathPattern(path)];
    const command = { verb: ['extract'], flags: ['--stdout'], args };
    return streamOfTool(context, { target, command, options, judge: throwUnlessRead });
  };

function throwUnlessRead(exit: ToolExit): never {
  const options = { exitCode: exit.code };
  if (neverMatched(exit))
    throw new DriverError('path_missing', 'The archive does not contain this path.', options);
  const text = exit.log.warnings[0]?.text ?? 'The file could not be read completely.';
  throw new DriverError('damaged', text, options);
}
