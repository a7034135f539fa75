import { useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api, downloadAddress, readPages, type Schemas, write } from '../../../api/api.js';
import { saveFrom } from '../../../api/download.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { bytes, dayOf, moment, number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import type { ScreenProps } from '../../../shell/router.js';
import { ActionButton } from '../../../ui/action-button.js';
import { Button } from '../../../ui/button.js';
import { DataList } from '../../../ui/data-list.js';
import { Empty, Facts, Row, Section } from '../../../ui/layout.js';
import { failureOf, lastErrorOf, Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { Time } from '../../../ui/time.js';
import { Jobs } from '../jobs.js';
import { RepositoryPage } from '../repository-page.js';
import { useStart } from '../use-start.js';
import { DrillPlan, planQuery } from './drill-plan.js';

export type Drill = Schemas['DrillView'];

/** Drill coverage of a repository, past drills, and the next one. */
export default function Drills({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  return (
    <RepositoryPage id={id} part="drills">
      {() => (
        <>
          <p class="muted">{t.drills.lead}</p>
          <Jobs id={id} present />
          <Proof id={id} />
          <Past id={id} />
          <Export id={id} />
        </>
      )}
    </RepositoryPage>
  );
}

function Proof({ id }: { id: number }) {
  const isAdmin = useIsAdmin();
  const show = useStart();
  const [isPlanning, setPlanning] = useState(false);
  const plan = useQuery(planQuery(id));
  const start = () =>
    show(write('POST', '/api/repositories/{repo_id}/drill', { path: { repo_id: id } }), t.drills.started);
  return (
    <Section title={t.drills.proof} card>
      <QueryView query={plan} lines={2}>
        {({ data }) => (
          <>
            <Facts facts={factsOf(data)} />
            {data.last_error && <Notice kind="warning">{lastErrorOf(data)}</Notice>}
          </>
        )}
      </QueryView>
      {isAdmin && (
        <Row>
          <ActionButton look="primary" onAct={start}>
            {t.drills.start}
          </ActionButton>
          {plan.data && <Button onClick={() => setPlanning(true)}>{t.drills.plan}</Button>}
        </Row>
      )}
      {isPlanning && plan.data && <DrillPlan id={id} tagged={plan.data} onClose={() => setPlanning(false)} />}
    </Section>
  );
}

const factsOf = ({
  last_verified_restore: passed,
  coverage_percent: percent,
  next_run: next,
}: Schemas['DrillsGetScheduleAnswer']) =>
  [
    [t.drills.lastProof, passed ? <Time key="passed" at={passed} capital /> : t.common.never],
    percent === null ? null : ([t.drills.coverage, t.drills.ofArchive(`${number(percent)} %`)] as const),
    [t.drills.next, next ? moment(next) : t.drills.notPlanned],
  ] as const;

function Past({ id }: { id: number }) {
  const query = useInfiniteQuery(readPages('/api/drills', { repository_id: id, limit: 20 }));
  return (
    <Section title={t.drills.past}>
      <QueryView query={query} lines={4}>
        {({ pages }) => (
          <DataList
            label={t.drills.past}
            rows={pages.flatMap((page) => page.drills)}
            query={query}
            empty={<Empty>{t.drills.none}</Empty>}
            linkOf={(drill) => [
              `/repositories/${id}/drills/${drill.id}`,
              `${t.drills.of(dayOf(drill.ended_at))}, ${t.drills.verdicts[drill.verdict]}`,
            ]}
            columns={(of) => [
              { key: 'day', head: t.activity.kind, cell: ({ ended_at }) => t.drills.of(dayOf(ended_at)) },
              of.state(verdictOf),
              of.text('files', t.drills.files, summaryOf, { width: 'minmax(0, 2fr)' }),
              of.time('at', t.common.date, ({ ended_at }) => ended_at),
            ]}
            below={failureOf}
          />
        )}
      </QueryView>
    </Section>
  );
}

export const summaryOf = ({ restored_files: files, restored_bytes }: Drill): string =>
  t.drills.summary(files, number(files), bytes(restored_bytes));

const states = { passed: 'protected', failed: 'damaged', none: 'unknown' } as const;

export const verdictOf = ({ verdict }: Pick<Drill, 'verdict'>) => ({
  state: states[verdict],
  word: t.drills.verdicts[verdict],
});

function Export({ id }: { id: number }) {
  const save = async (format: 'json' | 'html') =>
    saveFrom(await downloadAddress(api, '/api/drills/export', { query: { repository_id: id, format } }));
  return (
    <Section title={t.drills.export}>
      <p class="muted">{t.drills.exportMeans}</p>
      <Row>
        <ActionButton onAct={() => save('json')}>{t.drills.json}</ActionButton>
        <ActionButton onAct={() => save('html')}>{t.drills.page}</ActionButton>
      </Row>
    </Section>
  );
}
