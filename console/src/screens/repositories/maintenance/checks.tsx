import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read, type Schemas } from '../../../api/api.js';
import { useMay } from '../../../hub/may.js';
import { duration, moment } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Button } from '../../../ui/button.js';
import { DataList } from '../../../ui/data-list.js';
import { Empty, Row, Section } from '../../../ui/layout.js';
import { failureOf, lastErrorOf, Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import type { StateName } from '../../../ui/state.js';
import { CheckButton, depthOf } from '../check-dialog.js';
import type { Repository } from '../repository-page.js';
import { CheckPlan, planQuery } from './check-plan.js';

type Job = Schemas['CheckJobView'];

export function Checks({ repository: { id, name }, isAdmin }: { repository: Repository; isAdmin: boolean }) {
  const plan = useQuery(planQuery(id));
  const may = useMay();
  const [isChanging, setChanging] = useState(false);
  const jobs = useQuery(
    read('/api/repositories/{repo_id}/check-jobs', { path: { repo_id: id }, query: { limit: 10 } }),
  );
  return (
    <Section title={t.maintenance.checks.title}>
      <p class="muted">{t.maintenance.checks.lead}</p>
      <QueryView query={plan} lines={1}>
        {({ data }) => (
          <>
            <p>
              {data.enabled && data.next_scheduled_check
                ? t.maintenance.checks.next(moment(data.next_scheduled_check))
                : t.maintenance.checks.notPlanned}
            </p>
            {data.last_error && <Notice kind="warning">{lastErrorOf(data)}</Notice>}
          </>
        )}
      </QueryView>
      <Row>
        {may('operate', id) && <CheckButton id={id} name={name} />}
        {isAdmin && plan.data && (
          <Button onClick={() => setChanging(true)}>{t.maintenance.checks.plan}</Button>
        )}
      </Row>
      {isChanging && plan.data && <CheckPlan id={id} tagged={plan.data} onClose={() => setChanging(false)} />}
      <QueryView query={jobs} lines={2}>
        {({ jobs: past }) => (
          <DataList
            label={t.maintenance.checks.history}
            rows={past}
            empty={<Empty>{t.maintenance.checks.never}</Empty>}
            linkOf={({ id }) => [`/activity/${id}`]}
            columns={(of) => [
              of.name(kindOf, t.activity.kind),
              of.state(resultOf, '13rem'),
              of.time('at', t.common.date, (job) => job.completed_at ?? job.started_at ?? job.requested_at),
              of.figure('took', t.activity.took, tookOf, duration),
            ]}
            below={failureOf}
          />
        )}
      </QueryView>
    </Section>
  );
}

const kindOf = (job: Job): string =>
  job.signs
    ? t.maintenance.sign.button
    : job.check_type === 'repair'
      ? t.maintenance.repair.title
      : t.repository.check.names[depthOf(job)];

const tookOf = ({ started_at: from, completed_at: to }: Job) =>
  from && to ? (Date.parse(to) - Date.parse(from)) / 1000 : null;

function resultOf({ status, problems_found }: Job): { state: StateName; word: string } {
  const { damageFound, nothingFound } = t.maintenance.checks;
  if (problems_found) return { state: 'damaged', word: damageFound };
  if (status === 'completed') return { state: 'protected', word: nothingFound };
  return { state: status === 'running' ? 'running' : 'off', word: t.common.jobStates[status] };
}
