import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { read, type Schemas } from '../../api/api.js';
import { bytes, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { extractCommand } from '../../ui/borg.rules.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Copyable } from '../../ui/copy.js';
import { DataList } from '../../ui/data-list.js';
import { Facts, Row, Section, Stack } from '../../ui/layout.js';
import { More } from '../../ui/more.js';
import { failureOf, Notice } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';
import { looks } from '../activity/job-state.js';
import { restoreAddress } from './choice.rules.js';
import styles from './restore.module.css';

type Entry = Schemas['RestoreManifestEntry'];
export function Result({ job }: { job: Schemas['JobView'] }) {
  const { about, status } = job;
  const details = useQuery(read('/api/restore/status/{job_id}', { path: { job_id: job.id } })).data;
  const counts = details?.by_type;
  const done = status as keyof typeof looks;
  useEffect(() => announce(t.restore.ended[done]), [done]);
  const count = (name: string, value: number | null | undefined) =>
    typeof value === 'number' && value > 0 ? ([name, number(value)] as const) : null;
  return (
    <Stack>
      <Notice kind={looks[done]} title={t.restore.ended[done]}>
        {failureOf(job)}
      </Notice>
      <Section title={t.restore.figures} quiet card>
        <Facts
          facts={[
            [
              t.restore.target,
              <bdi key="target" class={styles.path}>
                {about.destination_host && `${about.destination_host}: `}
                {about.destination === '/' ? t.restore.toOrigin : about.destination}
              </bdi>,
            ],
            count(t.activity.files, counts?.files),
            count(t.restore.folders, counts?.directories),
            count(t.restore.links, counts?.links),
            count(t.restore.others, counts?.others),
            count(t.restore.results.replaced, about.replaced),
            count(t.restore.results.kept, about.kept),
            about.restored_bytes ? [t.browse.size, bytes(about.restored_bytes)] : null,
          ]}
        />
      </Section>
      <Missing job={job} />
      <Manifest job={job} />
      {details && (
        <More label={t.common.withBorg}>
          <Copyable
            label="borg extract"
            text={extractCommand(details.repository, details.archive, {
              paths: details.paths,
              strip: details.strip_components,
            })}
          />
        </More>
      )}
      {details && <Onwards details={details} />}
    </Stack>
  );
}

type Details = Schemas['RestoreStatusAnswer'];

/** Next steps: the same paths from another archive, a repetition after a failure, or another restore. */
function Onwards({ details }: { details: Details }) {
  const { repository_id: repositoryId, archive, paths, status } = details;
  const choice = repositoryId === null ? null : { repositoryId, archive, paths: paths ?? [''] };
  return (
    <Row>
      {choice && status !== 'completed' && (
        <ButtonLink look="primary" href={restoreAddress(choice, sessionStorage)}>
          {t.restore.again}
        </ButtonLink>
      )}
      {choice && <ButtonLink href={restoreAddress(choice, sessionStorage)}>{t.restore.otherDate}</ButtonLink>}
      <ButtonLink href="/restore">{t.restore.another}</ButtonLink>
    </Row>
  );
}

const pageSize = 10_000;
const mostPages = 20;
const mostShown = 200;

const manifestQuery = ({ id }: { id: number }, query: { offset?: number; limit: number }) =>
  read('/api/restore/manifest/{job_id}', { path: { job_id: id }, query });

/** Skipped files are scattered in the manifest, which is read only if there were warnings. */
function Missing({ job }: { job: Schemas['JobView'] }) {
  const query = useQuery({
    queryKey: ['left out', job.id],
    queryFn: async ({ signal }) => {
      const found: Entry[] = [];
      for (let page = 0; page < mostPages; page += 1) {
        const query = { offset: page * pageSize, limit: pageSize };
        const { entries, has_more } = await manifestQuery(job, query).queryFn({ signal });
        found.push(...entries.filter(({ left_out }) => left_out));
        if (!has_more) break;
      }
      return found;
    },
    enabled: job.status === 'completed_with_warnings',
  });
  if (job.status === 'completed') return job.about.kept ? null : <p>{t.restore.allThere}</p>;
  if (!query.data || query.data.length === 0) return null;
  const { data } = query;
  return (
    <Section title={t.restore.missing(data.length, number(data.length))}>
      <Entries
        label={t.restore.missing(data.length, number(data.length))}
        entries={data.slice(0, mostShown)}
      />
      {data.length > mostShown && <p>{t.folders.andMore(number(data.length - mostShown))}</p>}
    </Section>
  );
}

function Manifest({ job }: { job: Schemas['JobView'] }) {
  const [isOpen, setOpen] = useState(false);
  const [limit, setLimit] = useState(mostShown);
  const query = useQuery({
    ...manifestQuery(job, { limit }),
    enabled: isOpen,
    placeholderData: (before) => before,
  });
  if (!isOpen)
    return (
      <Row>
        <Button onClick={() => setOpen(true)}>{t.restore.showManifest}</Button>
      </Row>
    );
  return (
    <Section title={t.restore.manifest}>
      <QueryView query={query}>
        {({ entries, total, has_more }) => (
          <>
            <Entries label={t.restore.manifest} entries={entries} />
            {has_more && limit < pageSize && (
              <Button onClick={() => setLimit(Math.min(pageSize, limit * 5))}>
                {t.restore.moreOf(number(entries.length), number(total))}
              </Button>
            )}
          </>
        )}
      </QueryView>
    </Section>
  );
}

const Entries = ({ label, entries }: { label: string; entries: readonly Entry[] }) => (
  <DataList
    label={label}
    rows={entries}
    isPart
    keyOf={({ path }) => path}
    columns={(of) => [
      of.name(({ path }) => path, t.common.name, { width: 'minmax(0, 4fr)' }),
      of.text('result', t.activity.result, (one) =>
        one.left_out ? t.restore.leftOut : t.restore.results[one.result],
      ),
    ]}
  />
);
