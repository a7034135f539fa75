import { useQueries, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answer, type Schemas } from '../../api/client.js';
import { useSettled } from '../../ui/use-settled.js';
import { parentOf, patternIn } from './paths.rules.js';

export type Entry = Schemas['ContentItem'];
export interface Place {
  repositoryId: number;
  archive: string;
  path: string;
}

const pageSize = 1_000;

/** The contents of an archive never change, so no event outdates them. */
const pageQuery = ({ repositoryId, archive, path }: Place, page: number) => ({
  queryKey: ['contents', repositoryId, archive, path, page],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    answer(
      api.GET('/api/archives/{archive_id}/contents', {
        params: {
          path: { archive_id: archive },
          query: { repository_id: repositoryId, path, limit: pageSize, offset: page * pageSize },
        },
        signal,
      }),
    ),
});

/** One folder: its first page, and further ones as they come into view. Leaving the page ends a first browse. */
export function useFolder(place: Place) {
  const [wanted, setWanted] = useState<readonly number[]>([]);
  const first = useQuery(pageQuery(place, 0));
  useEffect(() => setWanted([]), [place.path]);
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
  return { query: first, entryAt, want };
}

/** Entries of a folder by a part of their name. Folders of one page are looked through here. */
export function useFiltered(place: Place, text: string, loaded: Schemas['ArchiveContents'] | undefined) {
  const isLarge = (loaded?.total ?? 0) > pageSize;
  const asked = useSettled(text);
  const query = useQuery({
    queryKey: ['filter', place.repositoryId, place.archive, place.path, asked],
    queryFn: ({ signal }) => search(place, { query: patternIn(place.path, asked), mode: 'glob' }, signal),
    enabled: isLarge && asked !== '',
  });
  if (text === '' || !loaded) return null;
  const wanted = text.toLocaleLowerCase();
  if (!isLarge) return loaded.items.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  return query.data?.items.filter(({ path }) => parentOf(path) === place.path) ?? null;
}

/** Everything in the archive with the text in its name. */
export const useFound = (place: Place, text: string) =>
  useQuery({
    queryKey: ['found', place.repositoryId, place.archive, text],
    queryFn: ({ signal }) => search(place, { query: text, mode: 'substring' }, signal),
    enabled: text !== '',
  });

const search = (
  { repositoryId, archive }: Place,
  query: { query: string; mode: 'glob' | 'substring' },
  signal: AbortSignal,
) =>
  answer(
    api.GET('/api/archives/{archive_id}/search', {
      params: {
        path: { archive_id: archive },
        query: { repository_id: repositoryId, limit: pageSize, ...query },
      },
      signal,
    }),
  );
