import type { Log } from '@holdfast/plugin-api';
import type {
  ArchiveSummary,
  BackupDriver,
  OperationOptions,
  RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import { reasonOf } from '../../../foundation/kernel/index.js';
import {
  type AddedArchive,
  type ArchiveIndex,
  type ArchiveIndexes,
  IndexFull,
} from '../../../foundation/ports/archive-index.js';
import type { RepositoryRow } from '../../repositories/tables.js';

export interface MemoryNeeds {
  indexes: ArchiveIndexes;
  driver: Pick<BackupDriver, 'listEntries'>;
  log: Log;
}

export interface Remembering {
  archive: Pick<ArchiveSummary, 'id' | 'name' | 'hostname' | 'start'>;
  target: RepositoryTarget;
  options: OperationOptions;
}

/** Reads an archive with the tool into the index. Null: there is no index. Throws what the tool and the index throw. */
export async function rememberArchive(
  { indexes, driver }: Pick<MemoryNeeds, 'indexes' | 'driver'>,
  { tool_id }: Pick<RepositoryRow, 'tool_id'>,
  { archive: { id: toolId, name, hostname, start }, target, options }: Remembering,
): Promise<AddedArchive | null> {
  if (indexes.maxBytes === 0) return null;
  const index = await indexes.open(tool_id);
  const known = await index.find(toolId);
  if (known) return known;
  const entries = driver.listEntries(target, { archive: name }, options);
  return index.add({ toolId, name, hostname, start }, entries, {
    maxBytes: indexes.maxBytes,
    ...(options.signal && { signal: options.signal }),
  });
}

/** The index of a repository, with the archives in it; null when there is none that can be read. */
export async function indexOf(
  { indexes, log }: Pick<MemoryNeeds, 'indexes' | 'log'>,
  { id, tool_id }: Pick<RepositoryRow, 'id' | 'tool_id'>,
): Promise<{ index: ArchiveIndex; holds: ReadonlySet<string> } | null> {
  if (indexes.maxBytes === 0) return null;
  try {
    const index = await indexes.open(tool_id);
    return { index, holds: new Set((await index.archives()).map(({ toolId }) => toolId)) };
  } catch (error) {
    log.warn('the index of archives could not be read; file lists are used instead', {
      repository: id,
      error,
    });
    return null;
  }
}

/** Why an archive is not in the index, for a log. */
export const whyNot = (error: unknown): string =>
  error instanceof IndexFull ? 'it is larger than INDEX_MAX_MB allows' : reasonOf(error);
