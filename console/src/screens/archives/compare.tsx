import { useInfiniteQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { read } from '../../api/api.js';
import { bytes, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ByClick } from '../../shell/by-click.js';
import { useParameters } from '../../shell/navigation.js';
import { Page } from '../../shell/page.js';
import type { ScreenProps } from '../../shell/router.js';
import { Button } from '../../ui/button.js';
import { Empty } from '../../ui/layout.js';
import { More } from '../../ui/more.js';
import { NextPage } from '../../ui/next-page.js';
import { QueryView } from '../../ui/query-view.js';
import { browseAddress, parentOf } from '../browse/paths.rules.js';
import styles from './archives.module.css';
import { type Branch, grownBy, kindOf, treeOf } from './compare.rules.js';

const pageSize = 5_000;
const mostShown = 200;

export default function Compare({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const parameters = useParameters();
  const [from, to] = [parameters.get('from') ?? '', parameters.get('to') ?? ''];
  return (
    <Page
      title={t.archives.compareTitle}
      up={[t.frame.kinds.archives, `/repositories/${id}/archives`]}
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
    queryFn: ({ pageParam: offset, signal }) => {
      const query = { repository_id: id, with: to, limit: pageSize, offset };
      return read('/api/archives/{archive_id}/diff', { path: { archive_id: from }, query }).queryFn({
        signal,
      });
    },
    initialPageParam: 0,
    getNextPageParam: (page, _, offset) => (page.truncated ? offset + pageSize : null),
  });
  return (
    <>
      {query.data === undefined && !query.error && <p role="status">{t.archives.comparing}</p>}
      <QueryView query={query} lines={6}>
        {({ pages }) => {
          const tree = treeOf(pages.flatMap((page) => page.items));
          if (tree.children.length === 0) return <Empty>{t.archives.same}</Empty>;
          return (
            <>
              <p>
                <strong>{`${totals(tree.counts)}${growth(tree.bytes)}`}</strong>
              </p>
              {query.hasNextPage && <p class="muted">{t.archives.onlyFirst}</p>}
              <div class={styles.tree} role="group" aria-label={t.archives.differences}>
                <Branches branches={tree.children} place={{ id, from, to }} />
              </div>
            </>
          );
        }}
      </QueryView>
      <NextPage query={query} label={t.archives.moreDifferences} />
    </>
  );
}

type Place = Record<'from' | 'to', string> & { id: number };

function Branches({ branches, place }: { branches: readonly Branch[]; place: Place }) {
  const [count, setCount] = useState(mostShown);
  return (
    <ul>
      {branches.slice(0, count).map((branch) => (
        <li key={branch.path}>
          {branch.children.length > 0 ? (
            <Folder branch={branch} place={place} isOpen={branches.length === 1} />
          ) : (
            <Leaf branch={branch} place={place} />
          )}
        </li>
      ))}
      {branches.length > count && (
        <li>
          <Button onClick={() => setCount(count + mostShown)}>{t.archives.moreDifferences}</Button>
        </li>
      )}
    </ul>
  );
}

/** What is in it is drawn when it is opened: there may be thousands. */
function Folder({ branch, place, isOpen }: { branch: Branch; place: Place; isOpen: boolean }) {
  const [isShown, setShown] = useState(isOpen);
  return (
    <More
      label={<Line name={`${branch.name}/`} note={`${totals(branch.counts)}${growth(branch.bytes)}`} />}
      open={isOpen}
      onOpen={() => setShown(true)}
    >
      {isShown && <Branches branches={branch.children} place={place} />}
    </More>
  );
}

function Leaf({ branch: { name, path, own }, place: { id, from, to } }: { branch: Branch; place: Place }) {
  if (!own) return null;
  const [isFolder, archive] = [own.type === 'directory', own.change === 'removed' ? from : to];
  return (
    <Link href={browseAddress(id, archive, isFolder ? path : parentOf(path))}>
      <Line
        name={isFolder ? `${name}/` : name}
        note={`${t.archives.changes[kindOf(own)]}${growth(grownBy(own))}`}
      />
    </Link>
  );
}

const Line = ({ name, note }: { name: string; note: string }) => (
  <span class={styles.line}>
    <bdi class={styles.path}>{name}</bdi> <span class="muted small">{note}</span>
  </span>
);

const totals = (counts: Branch['counts']): string =>
  (['added', 'changed', 'removed', 'touched'] as const)
    .flatMap((kind) => (counts[kind] > 0 ? t.archives.counts[kind](number(counts[kind])) : []))
    .join(' · ');

const growth = (by: number): string => (by === 0 ? '' : ` · ${by > 0 ? '+' : '−'}${bytes(Math.abs(by))}`);
