import {
  inTransaction,
  isAppError,
  type Repeated,
  readSetting,
  repeat,
  writeSetting,
} from '../../foundation/kernel/index.js';
import { noteMeasureFailure, noteSizes } from '../repositories/index.js';
import { type ArchiveRow, archives, type RepositoryRow, repositories } from '../repositories/tables.js';
import { interrupted, isWanted, readQuietly } from './memory/read-quietly.js';
import type { ArchivesNeeds } from './needs.js';

export interface MeasureWorker {
  start(): void;
  /** Measures one archive, if one waits and no other process does. Never rejects. */
  round(): Promise<void>;
  /** Starts nothing more, and interrupts the tool. */
  stop(): Promise<void>;
}

const mostFailures = 3;
/** A repository in which it failed is left alone for this long. */
const restMs = 3_600_000;
const longestMs = 10 * 60_000;
const leaseKey = 'archives.measuring';

/**
 * Reads the sizes of archives that something else made, a few a minute and one at a time in all instances. Gives way
 * to every job of the repository. Takes no lock in it: another client's backup must not fail because of this.
 */
export function makeMeasureWorker(needs: ArchivesNeeds, { perMinute }: { perMinute: number }): MeasureWorker {
  const { storage, clock, log } = needs;
  const everyMs = perMinute > 0 ? 60_000 / perMinute : 0;
  const resting = new Map<number, number>();
  const stopping = new AbortController();
  let rounds: Repeated | undefined;

  const round = async () => {
    const next = await nextArchive(needs, resting);
    if (!next) return;
    const begun = clock.now();
    if (!(await takeLease(needs, longestMs + everyMs))) return;
    try {
      await measure(needs, next, stopping.signal);
    } catch (error) {
      // Somebody else uses the repository.
      if (isAppError(error) || error === interrupted || stopping.signal.aborted) return;
      resting.set(next.repository.id, clock.now() + restMs);
      await noteMeasureFailure(storage, next.archive);
      log.info('the sizes of an archive could not be read', { repository: next.repository.id, error });
    } finally {
      await writeSetting(storage, leaseKey, { until: Math.max(clock.now(), begun + everyMs) });
    }
  };
  const onError = (error: unknown, again: boolean) => {
    if (!again) log.warn('sizes of archives could not be read; retrying', { error });
  };
  return {
    round: () => round().catch((error: unknown) => onError(error, false)),
    start() {
      if (everyMs > 0) rounds = repeat(round, { everyMs, onError, later: true });
    },
    async stop() {
      stopping.abort();
      await rounds?.stop();
    },
  };
}

interface Next {
  repository: RepositoryRow;
  archive: ArchiveRow;
}

/** The newest one of a repository that opens and rests, with the fewest failures. */
async function nextArchive(
  { storage, clock }: Pick<ArchivesNeeds, 'storage' | 'clock'>,
  resting: ReadonlyMap<number, number>,
): Promise<Next | null> {
  const unmeasured = { original_size: null, measure_failures: { lt: mostFailures } };
  const groups = await storage.aggregate(archives, {
    where: unmeasured,
    groupBy: ['repository_id'],
    measures: { first: { min: 'id' } },
  });
  for (const { repository_id } of groups) {
    if ((resting.get(repository_id) ?? 0) > clock.now()) continue;
    const where = { id: repository_id, open_error: null };
    const [repository] = await storage.find(repositories, { where, limit: 1 });
    if (!repository || (await isWanted({ storage }, repository_id))) continue;
    const [archive] = await storage.find(archives, {
      where: { ...unmeasured, repository_id },
      order: [
        ['measure_failures', 'asc'],
        ['start', 'desc'],
      ],
      limit: 1,
    });
    if (archive) return { repository, archive };
  }
  return null;
}

/** True for the one process that may work now. A process that died leaves the lease to expire. */
const takeLease = (
  { storage, clock }: Pick<ArchivesNeeds, 'storage' | 'clock'>,
  forMs: number,
): Promise<boolean> =>
  inTransaction(storage, async (session) => {
    const now = clock.now();
    const lease = (await readSetting(session, leaseKey)) as { until: number } | null;
    // An end further ahead than any lease comes from a clock that was ahead.
    if (lease && lease.until > now && lease.until <= now + forMs) return false;
    await writeSetting(session, leaseKey, { until: now + forMs });
    return true;
  });

async function measure(
  needs: ArchivesNeeds,
  { repository, archive }: Next,
  stopping: AbortSignal,
): Promise<void> {
  const { storage, driver, lanes, clock } = needs;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(longestMs)]);
  const read = () =>
    readQuietly(needs, repository, {
      signal,
      work: async (target, options) => {
        const { value } = await driver.archiveInfo(target, { archive: archive.name }, options);
        await noteSizes(storage, archive, { stats: value.stats, at: clock.now() });
      },
    });
  await lanes.withLane(repository.id, 'the sizes of an archive', read, 0);
}
