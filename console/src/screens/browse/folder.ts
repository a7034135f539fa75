import { useQueries, useQuery } from '@tanstack/preact-query';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { read, type Schemas } from '../../api/api.js';
import { type Sorting, sortBy } from '../../ui/data-list.rules.js';
import { columns } from './columns.js';

export type Entry = Schemas['ContentItem'];
export interface Place {
  repositoryId: number;
  archive: string;
  path: string;
}

const pageSize = 1_000;

/** The contents of an archive never change, so no event outdates them. */
const pageQuery = ({ repositoryId, archive, path }: Place, page: number, limit = pageSize) => ({
  ...read('/api/archives/{archive_id}/contents', {
    path: { archive_id: archive },
    query: { repository_id: repositoryId, path, limit, offset: page * limit },
  }),
  queryKey: ['contents', repositoryId, archive, path, page, limit],
});

/**
 * One folder: its first page, and further ones as they come into view, or all to sort or filter them: 100,000 are 15 MB
 * and take about a second. Leaving the page ends a first browse.
 */
export function useFolder(place: Place, text: string, sorting: Sorting) {
  const [wanted, setWanted] = useState<readonly number[]>([]);
  const first = useQuery(pageQuery(place, 0));
  useEffect(() => setWanted([]), [place.archive, place.path]);
  const others = useQueries({ queries: wanted.map((page) => pageQuery(place, page)) });
  const entryAt = (index: number): Entry | undefined => {
    const page = Math.floor(index / pageSize);
    const data = page === 0 ? first.data : others[wanted.indexOf(page)]?.data;
    return data?.items[index % pageSize];
  };
  /** Reads the pages that these rows are on. */
  const want = (from: number, to: number) => {
    const pages = new Set(wanted);
    for (let page = Math.floor(from / pageSize); page <= Math.floor(to / pageSize); page += 1)
      if (page > 0) pages.add(page);
    if (pages.size > wanted.length) setWanted([...pages]);
  };
  const total = first.data?.total ?? 0;
  const isLarge = total > pageSize;
  // The service sorts by name only, and a part of the entries would be sorted and filtered wrongly.
  const whole = useQuery({ ...pageQuery(place, 0, 0), enabled: isLarge && (sorting !== '' || text !== '') });
  const all = isLarge ? whole.data?.items : first.data?.items;
  const sorted = all ? sorting : '';
  const entries = useMemo(() => {
    const part = text.toLocaleLowerCase();
    const found = all?.filter(({ name }) => name.toLocaleLowerCase().includes(part));
    return found && sortBy(found, columns(), sorted);
  }, [all, text, sorted]);
  const largest = useMemo(() => all?.reduce((most, { size }) => Math.max(most, size), 0), [all]);
  return {
    query: first,
    /** Of the whole folder, as far as they are read. */
    read: all ?? first.data?.items ?? [],
    whole,
    sorted,
    /** Undefined as long as some are not read that the order needs. */
    entries,
    total: entries?.length ?? total,
    entryAt: entries ? (index: number) => entries[index] : entryAt,
    want: entries ? undefined : want,
    /** Undefined as long as some are not read. */
    largest,
  };
}

/** Everything in the archive with the text in its name. */
export const useFound = ({ repositoryId, archive }: Place, query: string) =>
  useQuery({
    ...read('/api/archives/{archive_id}/search', {
      path: { archive_id: archive },
      query: { repository_id: repositoryId, limit: pageSize, query, mode: 'substring' },
    }),
    queryKey: ['found', repositoryId, archive, query],
    enabled: query !== '',
  });
