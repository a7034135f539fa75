import { randomBytes } from 'node:crypto';
import { type ArchiveEntry, type BackupDriver, DriverError } from '@holdfast/plugin-api/driver';
import { startTool } from '../command.js';
import type { BorgContext } from '../context.js';
import { outcomeOf } from '../exit-codes.js';
import { archiveArgument } from '../location.js';
import { EntryParser, entryFormat } from '../parse/entries.js';
import type { RunningTool } from '../process.js';
import { failure } from '../run-tool.js';

const longestBatch = 500;

export const listEntries = (context: BorgContext): BackupDriver['listEntries'] =>
  async function* (target, { archive }, options = {}) {
    const mark = randomBytes(6).toString('hex');
    const command = {
      verb: ['list'],
      flags: [`--format=${entryFormat(mark)}`],
      args: [archiveArgument(target.location, archive)],
      encoding: 'unicode_escape' as const,
    };
    const running = await startTool({ context, target, command, options });
    const parser = new EntryParser(mark);
    try {
      yield* batches(running, parser);
      const exit = await running.ended;
      if (exit.stopped || outcomeOf(exit) === 'failed') throw await failure({ context, target }, exit);
      if (!parser.isComplete) throw new DriverError('failed', 'Borg ended in the middle of the listing.');
    } finally {
      await running.stop();
      await running.ended;
    }
  };

async function* batches(running: RunningTool, parser: EntryParser): AsyncGenerator<ArchiveEntry[]> {
  running.stdout.setEncoding('latin1');
  try {
    for await (const piece of running.stdout as AsyncIterable<string>) {
      const entries = parser.push(piece);
      for (let from = 0; from < entries.length; from += longestBatch)
        yield entries.slice(from, from + longestBatch);
    }
  } catch (error) {
    // Ending the tool closes its output early; the tool's exit shows why.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
