import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read } from '../../../api/api.js';
import type { Schemas } from '../../../api/client.js';
import { duration, moment } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Button } from '../../../ui/button.js';
import { Empty, Row, Section } from '../../../ui/layout.js';
import { List, ListItem } from '../../../ui/list.js';
import { Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { Sentence } from '../../../ui/sentence.js';
import { State } from '../../../ui/state.js';
import { Time } from '../../../ui/time.js';
import { CheckButton, depthOf } from '../check-dialog.js';
import type { Repository } from '../repository-page.js';
import { CheckPlan, planQuery } from './check-plan.js';

type Job = Schemas['CheckJobView'];

export function Checks({ repository: { id, name }, isAdmin }: { repository: Repository; isAdmin: boolean }) {
  const plan = useQuery(planQuery(id));
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
            {data.last_error && (
              <Notice kind="warning">
                <Sentence
                  code={data.last_error_code}
                  params={data.last_error_params}
                  text={data.last_error}
                />
              </Notice>
            )}
          </>
        )}
      </QueryView>
      <Row>
        <CheckButton id={id} name={name} />
        {isAdmin && plan.data && (
          <Button onClick={() => setChanging(true)}>{t.maintenance.checks.plan}</Button>
        )}
      </Row>
      {isChanging && plan.data && <CheckPlan id={id} tagged={plan.data} onClose={() => setChanging(false)} />}
      <QueryView query={jobs} lines={2}>
        {({ jobs: past }) =>
          past.length === 0 ? (
            <Empty>{t.maintenance.checks.never}</Empty>
          ) : (
            <List label={t.maintenance.checks.history}>
              {past.map((job) => (
                <CheckRow key={job.id} job={job} />
              ))}
            </List>
          )
        }
      </QueryView>
    </Section>
  );
}

function CheckRow({ job }: { job: Job }) {
  const { id, status, problems_found, check_type, signs, started_at, completed_at, requested_at } = job;
  const kind = signs
    ? t.maintenance.sign.button
    : check_type === 'repair'
      ? t.maintenance.repair.title
      : t.repository.check.names[depthOf(job)];
  const took = started_at && completed_at && (Date.parse(completed_at) - Date.parse(started_at)) / 1000;
  return (
    <ListItem
      href={`/activity/${id}`}
      title={kind}
      note={
        job.error_message && (
          <Sentence code={job.error_code} params={job.error_params} text={job.error_message} />
        )
      }
    >
      <State
        state={
          problems_found
            ? 'damaged'
            : status === 'completed'
              ? 'protected'
              : status === 'running'
                ? 'running'
                : 'off'
        }
        word={
          problems_found
            ? t.maintenance.checks.damageFound
            : status === 'completed'
              ? t.maintenance.checks.nothingFound
              : t.common.jobStates[status]
        }
      />
      <span>
        <Time plain at={completed_at ?? started_at ?? requested_at} />
        {typeof took === 'number' && <span class="muted"> · {duration(took)}</span>}
      </span>
    </ListItem>
  );
}
