import type { SourceSettings } from '@holdfast/plugin-api/source';
import type { JobContext } from '../../engine/jobs/index.js';
import { AppError } from '../../foundation/kernel/index.js';
import { openedSettings } from '../repositories/index.js';
import type { RepositoryRow, StoredSource } from '../repositories/tables.js';
import { hostOf } from './hosts.js';
import type { SourcesNeeds } from './needs.js';
import { saidBy } from './said-by.js';

/** What a job gives to a source. */
export async function contextOf(
  needs: SourcesNeeds,
  context: Pick<JobContext, 'signal' | 'log'> & { repository: Pick<RepositoryRow, 'source_connection_id'> },
  { container }: Pick<StoredSource, 'container'>,
) {
  const { signal } = context;
  const log = (level: 'info' | 'warning', text: string) => context.log({ level, text });
  const place = { connectionId: context.repository.source_connection_id, container };
  const host = await hostOf(needs, place, {
    signal,
    log: (line) => log('info', `  ! ${line}`),
  });
  return { host, signal, log };
}

/** Rejects with a sentence that was made while the secrets of the settings were still known. */
export async function withSettings<T>(
  needs: SourcesNeeds,
  { source, signal }: { source: StoredSource; signal: AbortSignal },
  work: (settings: SourceSettings) => Promise<T>,
): Promise<T> {
  const { settings, release } = openedSettings(needs, source);
  try {
    return await work(settings);
  } catch (error) {
    throw signal.aborted ? error : new AppError('internal', saidBy(needs, error));
  } finally {
    release();
  }
}
