import type { ListingState } from '@holdfast/contracts';
import { isoTime } from '../kernel/iso-time.js';
import { type ArchiveNeeds, type ArchiveSelector, findArchive } from './find-archive.js';
import type { ListingNeeds } from './read-listing.js';

/** Whether an archive can be browsed without waiting, and how far a listing is that is being built. */
export const getListingState = (needs: ArchiveNeeds & ListingNeeds) => {
  const find = findArchive(needs);
  return async (selector: ArchiveSelector): Promise<ListingState> => {
    const { repository, archive } = await find(selector);
    const request = { archive, epoch: repository.cache_epoch };
    const running = needs.listings.running(request);
    const state = running ? 'building' : (await needs.listings.isCached(request)) ? 'cached' : 'absent';
    return {
      success: true,
      archive: archive.name,
      state,
      started_at: isoTime(running?.startedAt ?? null),
      entries: running?.entries ?? null,
      percent: state === 'cached' ? 100 : running && percentOf(running.entries, archive.files),
      expected_files: archive.files,
    };
  };
};

/** Directories are among the entries and not among the files; what is told last is sorted still. */
const percentOf = (entries: number, files: number | null): number | null =>
  files === null ? null : Math.min(99, Math.floor((100 * entries) / Math.max(1, files)));
