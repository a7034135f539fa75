import { setTimeout as pause } from 'node:timers/promises';
import { isAppError } from '../kernel/errors.js';
import type { EventRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { type ArchiveNeeds, findArchive } from './find-archive.js';
import { type ListingNeeds, readListing } from './read-listing.js';

type Needs = ArchiveNeeds & ListingNeeds & Pick<Dependencies, 'cacheControl'>;

const tries = 10;
const pauseMs = 30_000;

/**
 * Builds the listing of each new archive after its backup, one at a time, where the settings say so. A repository
 * that is in use is tried again later. Returns the end, which cancels what is being built.
 */
export function warmListings(needs: Needs): () => void {
  const { events, cacheControl, log } = needs;
  const ending = new AbortController();
  const warm = warmOne(needs, ending.signal);
  let last = Promise.resolve();
  const unfollow = events.follow(['archives_changed'], (event) => {
    if (!cacheControl.choice.warmAfterBackup) return;
    for (const archive of addedByBackup(event)) {
      last = last
        .then(() => warm(event.repository_id, archive))
        .catch((error: unknown) => {
          if (!ending.signal.aborted) log.info('a listing was not built in advance', { archive, error });
        });
    }
  });
  return () => {
    unfollow();
    ending.abort();
  };
}

function addedByBackup({ job_id, data }: EventRow): string[] {
  return job_id !== null && Array.isArray(data.added) ? data.added.map(String) : [];
}

const warmOne = (needs: Needs, signal: AbortSignal) => {
  const find = findArchive(needs);
  const read = readListing(needs);
  return async (repositoryId: number | null, archive: string): Promise<void> => {
    if (repositoryId === null) return;
    for (let left = tries; ; left--) {
      signal.throwIfAborted();
      try {
        const found = await find({ repository_id: repositoryId, archive });
        return await read(found, async () => undefined, signal);
      } catch (error) {
        if (left === 0 || !isAppError(error) || error.code !== 'conflict') throw error;
        await pause(pauseMs, undefined, { signal, ref: false });
      }
    }
  };
};
