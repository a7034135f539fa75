import { type Schemas, useRead } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { ButtonLink } from '../../ui/button.js';
import { Row } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { WaitsFor } from '../../ui/waits-for.js';
import { CancelJob } from '../activity/cancel-job.js';
import { RunningJob } from '../activity/running-job.js';
import { Result } from './result.js';
import { Steps } from './steps.js';

export function Run({ id }: { id: number }) {
  const query = useRead('/api/jobs/{job_id}', { path: { job_id: id } });
  const job = query.data?.job;
  return (
    <Page
      title={job ? t.restore.runTitle(job.repository_name) : t.restore.title}
      actions={<ButtonLink href={`/activity/${id}`}>{t.restore.openActivity}</ButtonLink>}
      narrow
    >
      <Steps current="run" />
      <QueryView query={query} gone={t.restore.jobGone}>
        {({ job: loaded }) => (loaded.completed_at ? <Result job={loaded} /> : <Running job={loaded} />)}
      </QueryView>
    </Page>
  );
}

function Running({ job }: { job: Schemas['JobView'] }) {
  return (
    <>
      {job.status === 'pending' ? (
        <WaitsFor job={job} otherwise={t.restore.waiting} />
      ) : (
        <RunningJob job={job} />
      )}
      <Row>
        <CancelJob job={job} />
      </Row>
    </>
  );
}
