import { hostname, userInfo } from 'node:os';
import type {
  BackupDriver,
  CreateArchiveInput,
  CreateArchiveResult,
  OperationOptions,
} from '@holdfast/plugin-api/driver';
import { type StreamParts, withStreams } from '../archive-streams.js';
import type { BorgContext } from '../context.js';
import { parseAnswer } from '../identity/other-repository.js';
import { archiveArgument, assertText, literal } from '../location.js';
import { archiveSummary, detailStats, type ToolArchiveDetails } from '../parse/archive-list.js';
import { runToolOrThrow } from '../run-tool.js';
import { localView } from '../view.js';

interface ToolCreated {
  archive: ToolArchiveDetails;
  cache?: { stats?: { unique_csize?: number } };
}

/** Flags of `create` from a backup's settings. */
export const createFlags = (input: CreateArchiveInput): string[] => [
  `--comment=${literal(input.comment)}`,
  `--compression=${input.compression}`,
  ...input.excludePatterns.map((pattern) => `--exclude=${pattern}`),
  ...input.customFlags,
];

export function assertTexts(input: CreateArchiveInput): void {
  for (const text of [...input.sources, ...input.excludePatterns, ...input.customFlags])
    assertText(text, 'path or pattern');
}

/** The output of `create` leaves out what it got from this machine and from us. */
function createdHere(created: ToolCreated, { comment }: { comment: string }): CreateArchiveResult {
  return {
    archive: {
      ...archiveSummary(created.archive),
      comment,
      hostname: hostname().split('.')[0] as string,
      username: userInfo().username,
    },
    stats: detailStats(created.archive),
    repositoryStoredSize: created.cache?.stats?.unique_csize ?? null,
  };
}

export const createArchive =
  (context: BorgContext): BackupDriver['createArchive'] =>
  async (target, input, options = {}) => {
    assertTexts(input);
    const view = await localView(context.dataFolder, target, input.overlays);
    const work = (parts: StreamParts, under: OperationOptions) => {
      const command = {
        verb: ['create'],
        flags: ['--json', ...parts.flags, ...createFlags(input)],
        args: [archiveArgument(target.location, input.name), ...parts.args, ...input.sources],
        view,
        ...(parts.folder !== undefined && { folder: parts.folder }),
        writes: true,
        progress: true,
      };
      return runToolOrThrow({ context, target, command, options: under });
    };
    const { output, warnings, exit } = await withStreams(context, { ...input, view }, { options, work });
    const made = createdHere(parseAnswer<ToolCreated>(target, output), input);
    return { value: { ...made, ...exit.log.unread.found }, warnings };
  };
