import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { read, type Schemas } from '../../api/api.js';
import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { Progress } from '../../ui/progress.js';
import { Skeleton } from '../../ui/query-view.js';

/** Does not start anything. */
export const listingQuery = (repositoryId: number, archive: string) => ({
  ...read('/api/archives/{archive_id}/listing', {
    path: { archive_id: archive },
    query: { repository_id: repositoryId },
  }),
  queryKey: ['listing', repositoryId, archive],
  staleTime: 0,
});

/** How far the list of files is that a first browse waits for. Leaving the page gives it up. */
export function FirstBrowse({ repositoryId, archive }: { repositoryId: number; archive: string }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 700);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    ...listingQuery(repositoryId, archive),
    enabled: isLong,
    refetchInterval: 1_000,
    retry: 1_000,
  });
  const quarter = Math.floor((data?.percent ?? 0) / 25) * 25;
  useEffect(() => {
    if (quarter > 0 && quarter < 100) announce(t.browse.readSoFar(quarter));
  }, [quarter]);
  if (!isLong) return <Skeleton lines={6} />;
  return (
    <>
      <p>{sentenceOf(data)}</p>
      <Progress percent={data?.percent ?? null} label={t.browse.reading} />
      <p class="muted small">{t.browse.readingOnce}</p>
    </>
  );
}

function sentenceOf(state: Schemas['ListingState'] | undefined): string {
  const { entries, expected_files: expected } = state ?? {};
  if (typeof entries !== 'number') return t.browse.reading;
  return typeof expected === 'number'
    ? t.browse.readingOf(number(entries), number(expected))
    : t.browse.readingSome(number(entries));
}
