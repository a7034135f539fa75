import { hostname, userInfo } from 'node:os';
import type { BackupDriver, CreateArchiveInput } from '@holdfast/core/plugin';
import type { BorgContext } from '../context.js';
import { archiveArgument, assertText, literal } from '../location.js';
import { archiveStats, archiveSummary, type ToolArchiveDetails } from '../parse/archive-list.js';
import { parseJson, runToolOrThrow } from '../run-tool.js';

interface ToolCreated {
  archive: ToolArchiveDetails;
  cache?: { stats?: { unique_csize?: number } };
}

function flagsOf(input: CreateArchiveInput): string[] {
  return [
    '--json',
    `--comment=${literal(input.comment)}`,
    `--compression=${input.compression}`,
    ...input.excludePatterns.map((pattern) => `--exclude=${pattern}`),
    ...input.customFlags,
  ];
}

export const createArchive =
  (context: BorgContext): BackupDriver['createArchive'] =>
  async (target, input, options = {}) => {
    for (const text of [...input.sources, ...input.excludePatterns, ...input.customFlags])
      assertText(text, 'path or pattern');
    const command = {
      verb: ['create'],
      flags: flagsOf(input),
      words: [archiveArgument(target.location, input.name), ...input.sources],
      writes: true,
      progress: true,
    };
    const { output, warnings } = await runToolOrThrow({ context, target, command, options });
    const created = parseJson<ToolCreated>(output);
    // The answer to `create` leaves out what it took from this machine and from us.
    const archive = {
      ...archiveSummary(created.archive),
      comment: input.comment,
      hostname: hostname().split('.')[0] as string,
      username: userInfo().username,
    };
    const value = {
      archive,
      stats: archiveStats(created.archive.stats),
      repositoryStoredSize: created.cache?.stats?.unique_csize ?? null,
    };
    return { value, warnings };
  };
