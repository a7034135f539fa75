import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { api, read } from '../../api/api.js';
import { answer, type Schemas } from '../../api/client.js';
import { outdate } from '../../api/query-client.js';
import { bytes, duration, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { wordFor } from '../../i18n/sentences.js';
import { Page } from '../../shell/page.js';
import type { ScreenProps } from '../../shell/router.js';
import { announce, useSaidProgress } from '../../ui/announce.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { Facts, Section, Stack } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { Progress } from '../../ui/progress.js';
import { QueryView } from '../../ui/query-view.js';
import { Sentence } from '../../ui/sentence.js';
import { Time } from '../../ui/time.js';
import { WaitsFor } from '../../ui/waits-for.js';
import styles from './activity.module.css';
import { JobLog } from './job-log.js';
import { JobState, kindOf } from './job-state.js';

type Job = Schemas['JobView'];

/** One job: its state or result first, then figures, then its log. */
export default function JobScreen({ params }: ScreenProps<'job'>) {
  const id = Number(params.job);
  const query = useQuery(read('/api/jobs/{job_id}', { path: { job_id: id } }));
  const job = query.data?.job;
  const title = job ? t.activity.of(kindOf(job), job.repository_name) : t.activity.job(id);
  return (
    <Page
      title={title}
      up={[t.activity.title, '/activity']}
      lead={job && <JobState status={job.status} />}
      actions={job && <JobActions job={job} />}
    >
      <QueryView query={query} gone={t.activity.gone(params.job)}>
        {({ job: loaded }) => (
          <>
            <Outcome job={loaded} />
            <Section title={t.common.details} card>
              <Facts facts={factsOf(loaded)} />
            </Section>
            <JobLog job={loaded} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Outcome({ job }: { job: Job }) {
  const kind = kindOf(job);
  if (job.status === 'pending') return <WaitsFor job={job} otherwise={t.activity.outcome.pending(kind)} />;
  if (job.status === 'running') return <RunningJob job={job} />;
  const looks = {
    completed: 'good',
    completed_with_warnings: 'warning',
    failed: 'error',
    cancelled: 'info',
  } as const;
  return (
    <Notice kind={looks[job.status]} title={t.activity.outcome[job.status](kind)}>
      {job.error_message && (
        <Sentence code={job.error_code} params={job.error_params} text={job.error_message} />
      )}
      {job.about.dry_run && <p>{t.activity.dryRun}</p>}
      {job.status === 'failed' && job.repository_id !== null && <WhatToDo id={job.repository_id} />}
    </Notice>
  );
}

/** If the repository does not open, every job of it fails. */
function WhatToDo({ id }: { id: number }) {
  const repository = useQuery(read('/api/repositories/{repo_id}', { path: { repo_id: id } })).data
    ?.repository;
  if (!repository?.open_error) return null;
  return (
    <p>
      <Link href={`/repositories/${id}/maintenance`}>{t.activity.cannotOpen}</Link>
    </p>
  );
}

function RunningJob({ job }: { job: Job }) {
  useSaidProgress(job.progress, t.activity.soFar);
  const { estimated_time_remaining: left, current_file } = job.progress_details;
  return (
    <Section title={t.activity.progress} quiet card>
      <Stack tight>
        <Progress
          percent={job.progress > 0 ? job.progress : null}
          label={t.activity.progress}
          note={left > 0 ? t.common.left(duration(left)) : (job.progress_message ?? undefined)}
        />
        {current_file && <p class={styles.path}>{current_file}</p>}
        <p class="muted">{job.cancel_requested ? t.activity.cancelling : t.activity.mayClose}</p>
      </Stack>
    </Section>
  );
}

function JobActions({ job }: { job: Job }) {
  const [isAsking, setAsking] = useState(false);
  const kind = kindOf(job);
  return (
    <>
      {job.repository_id !== null && (
        <ButtonLink href={`/repositories/${job.repository_id}`}>{t.activity.openRepository}</ButtonLink>
      )}
      {job.kind === 'restore' && (
        <ButtonLink href={`/restore?job=${job.id}`}>{t.activity.openRestore}</ButtonLink>
      )}
      {job.kind === 'drill' && job.repository_id !== null && (
        <ButtonLink href={`/repositories/${job.repository_id}/drills`}>{t.activity.openDrills}</ButtonLink>
      )}
      {job.cancellable && !job.cancel_requested && (
        <Button look="danger" onClick={() => setAsking(true)}>
          {t.activity.cancelJob}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t.activity.cancelTitle(kind)}
          action={t.activity.cancelJob}
          danger
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await answer(api.POST('/api/jobs/{job_id}/cancel', { params: { path: { job_id: job.id } } }));
            announce(t.activity.cancelling);
            outdate('/api/jobs');
          }}
        >
          <p>{t.activity.cancelMeans[job.kind]}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

type Fact = readonly [string, ComponentChildren] | null;

/** The known facts: a job has only the figures of its kind. */
function factsOf(job: Job): Fact[] {
  const { about, progress_details: figures } = job;
  const count = (name: string, value: number | null | undefined): Fact =>
    typeof value === 'number' ? [name, number(value)] : null;
  const size = (name: string, value: number | null | undefined): Fact =>
    typeof value === 'number' && value > 0 ? [name, bytes(value)] : null;
  const time = (name: string, value: string | null): Fact =>
    value ? [name, <Time key={name} at={value} />] : null;
  return [
    time(t.activity.requested, job.requested_at),
    [t.activity.requestedBy, wordFor('by', job.requested_by) ?? job.requested_by],
    time(t.activity.started, job.started_at),
    time(t.activity.ended, job.completed_at),
    job.seconds === null ? null : [t.activity.took, duration(job.seconds)],
    about.archive
      ? [
          t.activity.archive,
          <span key="archive" class={styles.path}>
            {about.archive}
          </span>,
        ]
      : null,
    about.destination
      ? [
          t.activity.destination,
          <span key="destination" class={styles.path}>
            {about.destination_host ?? t.activity.thisMachine}: {about.destination}
          </span>,
        ]
      : null,
    figures.nfiles > 0 ? count(t.activity.files, figures.nfiles) : null,
    size(t.activity.original, figures.original_size),
    size(t.activity.added, figures.deduplicated_size),
    job.status === 'running' && figures.speed > 0
      ? [t.activity.speed, `${bytes(figures.speed * 2 ** 20)}/s`]
      : null,
    count(t.activity.restored, about.restored),
    count(t.activity.replaced, about.replaced),
    count(t.activity.kept, about.kept),
    count(t.activity.removed, about.removed_count),
    count(t.activity.keptArchives, about.kept_count),
    size(t.activity.freed, about.freed_bytes),
    count(t.activity.drilled, about.drilled_files),
    about.failed_files ? count(t.activity.failedFiles, about.failed_files) : null,
  ];
}
