import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read, type Schemas, useRead } from '../../api/api.js';
import { isError } from '../../api/query-client.js';
import { bytes, moment, number, percent } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { DataList } from '../../ui/data-list.js';
import { SelectField } from '../../ui/field.js';
import { Row, Section } from '../../ui/layout.js';
import { Meter } from '../../ui/progress.js';
import { QueryView } from '../../ui/query-view.js';
import { nameOf, parentOf } from '../browse/paths.rules.js';
import plots from './plots/plots.module.css';
import styles from './repositories.module.css';

type Growth = Schemas['FolderGrowth'];
type Index = Schemas['IndexState'];
const ranges = ['30', '90'] as const;

/** Which folders grew or shrank, one level at a time. */
export function FolderGrowth({ id }: { id: number }) {
  const [days, setDays] = useState<(typeof ranges)[number]>('30');
  const [path, setPath] = useState('');
  const index = useRead('/api/repositories/{repo_id}/index', { path: { repo_id: id } });
  const isIndexed = (index.data?.indexed_archives ?? 0) > 0;
  const query = useQuery({
    // Its own error is shown when the index can't be read.
    enabled: isIndexed || index.isError,
    ...read('/api/repositories/{repo_id}/growth-by-folder', {
      path: { repo_id: id },
      query: { days: Number(days), path },
    }),
    placeholderData: keepPreviousData,
  });
  const { title, needsIndex } = t.plots.folders;
  return (
    <Section title={title} card>
      <div class={plots.range}>
        <SelectField
          label={t.plots.range}
          value={days}
          onValue={setDays}
          options={ranges.map((each) => [each, t.plots.days(Number(each))])}
        />
      </div>
      {(index.data && !isIndexed) || isError(query.error, 404) ? (
        <p class="muted">{needsIndex}</p>
      ) : (
        <QueryView query={query} lines={5}>
          {(growth) => <Folders growth={growth} open={setPath} />}
        </QueryView>
      )}
      {index.data?.enabled && <IndexState index={index.data} />}
    </Section>
  );
}

const IndexState = ({ index: { indexed_archives, archives, bytes: size } }: { index: Index }) => (
  <p class="muted small">{t.plots.folders.index(number(indexed_archives), number(archives), bytes(size))}</p>
);

const signed = (value: number, inWords: (value: number) => string): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${inWords(Math.abs(value))}`;

function Folders({ growth, open }: { growth: Growth; open: (path: string) => void }) {
  const { path, folders, from, to, complete, not_indexed: missing } = growth;
  const words = t.plots.folders;
  const most = Math.max(...folders.map((folder) => Math.abs(folder.bytes)), 1);
  const share = (folder: Growth['folders'][number]) => (100 * Math.abs(folder.bytes)) / most;
  return (
    <>
      <p class="small">{words.between(moment(from.start), moment(to.start))}</p>
      <Row>
        {path !== '' && (
          <Button look="quiet" onClick={() => open(parentOf(path))}>
            {words.up}
          </Button>
        )}
        <bdi class="small">/{path}</bdi>
      </Row>
      <div class={styles.grown}>
        <DataList
          label={words.title}
          isPart
          rows={folders}
          keyOf={(folder) => folder.path}
          empty={<p class="muted">{words.same}</p>}
          columns={(of) => [
            {
              ...of.name((folder) => folder.path),
              cell: (folder) =>
                folder.path === path ? (
                  <span class="muted">{words.directly}</span>
                ) : (
                  <Button look="quiet" onClick={() => open(folder.path)}>
                    <bdi>{nameOf(folder.path)}</bdi>
                  </Button>
                ),
            },
            {
              key: 'share',
              head: t.plots.growth,
              width: 'minmax(0, 1fr)',
              cell: (folder) => <Meter percent={share(folder)} label={percent(share(folder))} />,
            },
            of.figure(
              'files',
              t.activity.files,
              ({ files }) => files,
              (files) => signed(files, number),
              '5rem',
            ),
            of.figure(
              'size',
              t.browse.size,
              (folder) => folder.bytes,
              (size) => signed(size, bytes),
              '6rem',
            ),
          ]}
        />
      </div>
      {!complete && <p class="muted small">{words.onlyLargest}</p>}
      {missing > 0 && <p class="muted small">{words.notIndexed(missing, number(missing))}</p>}
    </>
  );
}
