import { useInfiniteQuery } from '@tanstack/preact-query';
import { api } from '../../api/api.js';
import { answer, type Schemas } from '../../api/client.js';
import { bytes, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ByClick } from '../../shell/by-click.js';
import { useParameters } from '../../shell/navigation.js';
import { Page } from '../../shell/page.js';
import type { ScreenProps } from '../../shell/router.js';
import { Empty } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { NextPage } from '../../ui/next-page.js';
import { QueryView } from '../../ui/query-view.js';
import styles from './archives.module.css';

type Item = Schemas['ArchiveComparison']['items'][number];
const pageSize = 500;

export default function Compare({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const parameters = useParameters();
  const [from, to] = [parameters.get('from') ?? '', parameters.get('to') ?? ''];
  return (
    <Page
      title={t.archives.compareTitle}
      up={[t.archives.title, `/repositories/${id}/archives`]}
      lead={from && to && t.archives.compareLead(from, to)}
    >
      <ByClick sentence={t.archives.compareNeeds} action={t.archives.compareStart}>
        <Differences id={id} from={from} to={to} />
      </ByClick>
    </Page>
  );
}

function Differences({ id, from, to }: { id: number; from: string; to: string }) {
  const query = useInfiniteQuery({
    queryKey: ['diff', id, from, to],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/api/archives/{archive_id}/diff', {
          params: {
            path: { archive_id: from },
            query: { repository_id: id, with: to, limit: pageSize, offset: pageParam },
          },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (page, _, offset) => (page.truncated ? offset + pageSize : null),
  });
  return (
    <>
      {query.data === undefined && !query.error && <p role="status">{t.archives.comparing}</p>}
      <QueryView query={query} lines={6}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0) return <Empty>{t.archives.same}</Empty>;
          const counts = pages[0] as Schemas['ArchiveComparison'];
          return (
            <>
              <p class={styles.counts}>
                <span>{t.archives.addedCount(number(counts.added))}</span>
                <span>{t.archives.changedCount(number(counts.changed))}</span>
                <span>{t.archives.removedCount(number(counts.removed))}</span>
              </p>
              <List label={t.archives.differences}>
                {items.map((item) => (
                  <ListItem
                    key={item.path}
                    title={<bdi class={styles.path}>{item.path}</bdi>}
                    note={`${t.archives.changes[item.change]}${sizesOf(item)}`}
                  />
                ))}
              </List>
            </>
          );
        }}
      </QueryView>
      <NextPage query={query} label={t.archives.moreDifferences} wide />
    </>
  );
}

function sizesOf({ type, before, after }: Item): string {
  if (type === 'directory') return '';
  const sizes = [before, after].filter((version) => version !== null).map(({ size }) => bytes(size));
  return ` · ${sizes.join(' → ')}`;
}
