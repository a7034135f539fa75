import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api, read } from '../../api/api.js';
import { answer, type Schemas } from '../../api/client.js';
import { outdate } from '../../api/query-client.js';
import { user as signedIn } from '../../hub/link.js';
import { duration } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { useStore } from '../../store.js';
import { useSaidProgress } from '../../ui/announce.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { Row, Section, Stack } from '../../ui/layout.js';
import { Progress } from '../../ui/progress.js';
import { QueryView } from '../../ui/query-view.js';
import { WaitsFor } from '../../ui/waits-for.js';
import styles from './restore.module.css';
import { Result } from './result.js';
import { Steps } from './steps.js';

type Job = Schemas['JobView'];

export function Run({ id }: { id: number }) {
  const query = useQuery(read('/api/jobs/{job_id}', { path: { job_id: id } }));
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

function Running({ job }: { job: Job }) {
  const isAdmin = useStore(signedIn)?.is_admin;
  const [isAsking, setAsking] = useState(false);
  useSaidProgress(job.progress, t.restore.soFar);
  const { estimated_time_remaining: left, current_file: file } = job.progress_details;
  return (
    <Section title={t.restore.progress} quiet card>
      <Stack tight>
        {job.status === 'pending' && <WaitsFor job={job} otherwise={t.restore.waiting} />}
        <Progress
          percent={job.progress > 0 ? job.progress : null}
          label={t.restore.progress}
          note={left > 0 ? t.common.left(duration(left)) : undefined}
        />
        {file && (
          <p class={styles.path}>
            <bdi>{file}</bdi>
          </p>
        )}
        <p class="muted">{job.cancel_requested ? t.restore.cancelling : t.restore.mayClose}</p>
        {isAdmin && job.cancellable && !job.cancel_requested && (
          <Row>
            <Button onClick={() => setAsking(true)}>{t.restore.cancel}</Button>
          </Row>
        )}
      </Stack>
      {isAsking && (
        <ConfirmDialog
          title={t.restore.cancelTitle}
          action={t.restore.cancel}
          danger
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await answer(api.POST('/api/jobs/{job_id}/cancel', { params: { path: { job_id: job.id } } }));
            outdate('/api/jobs');
          }}
        >
          <p>{t.restore.cancelMeans}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
