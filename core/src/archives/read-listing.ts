import type { ArchiveListings } from './listing/archive-listings.js';
import type { Listing } from './listing/listing.js';
import type { Dependencies } from '../dependencies.js';
import type { FoundArchive } from './find-archive.js';
import { folderTrouble } from './folder-trouble.js';
import { readWithTool } from './read-with-tool.js';

export type ListingNeeds = Pick<
  Dependencies,
  'storage' | 'lanes' | 'secrets' | 'redactor' | 'clock' | 'driver'
> & { listings: ArchiveListings };

/** Uses the listing of an archive, from the cache, else built with the tool. `signal`: whoever asked is gone. */
export const readListing =
  (needs: ListingNeeds) =>
  async <T>(
    { repository, archive }: Pick<FoundArchive, 'repository' | 'archive'>,
    use: (listing: Listing) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    const { name } = archive;
    try {
      return await needs.listings.read<T>({
        archive,
        epoch: repository.cache_epoch,
        use,
        signal,
        readEntries: (collect, building) =>
          readWithTool(needs)(repository, {
            what: `listing of archive ${name}`,
            signal: building,
            work: (target, options) => collect(needs.driver.listEntries(target, { archive: name }, options)),
          }),
      });
    } catch (error) {
      throw folderTrouble(error);
    }
  };
