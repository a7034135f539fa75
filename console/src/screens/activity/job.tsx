import type { ComponentChildren } from 'preact';
import { type Schemas, useRead } from '../../api/api.js';
import { useMay } from '../../hub/may.js';
import { bytes, duration, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { wordFor } from '../../i18n/sentences.js';
import { Page } from '../../shell/page.js';
import type { ScreenProps } from '../../shell/router.js';
import { ButtonLink } from '../../ui/button.js';
import { Facts, Section } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { Time } from '../../ui/time.js';
import { WaitsFor } from '../../ui/waits-for.js';
import styles from './activity.module.css';
import { CancelJob } from './cancel-job.js';
import { JobLog } from './job-log.js';
import { JobSources } from './job-sources.js';
import { JobState, kindOf } from './job-state.js';
import { Outcome } from './outcome.js';
import { RunningJob } from './running-job.js';

type Job = Schemas['JobView'];

/** One job: its state or result first, then figures, then its log. */
export default function JobScreen({ params }: ScreenProps<'job'>) {
  const id = Number(params.job);
  const query = useRead('/api/jobs/{job_id}', { path: { job_id: id } });
  const job = query.data?.job;
  const may = useMay();
  const title = job ? t.activity.of(kindOf(job), job.repository_name) : t.activity.job(id);
  return (
    <Page
      title={title}
      up={[t.frame.place.activity, '/activity']}
      lead={job && <JobState status={job.status} />}
      actions={job && <JobActions job={job} />}
    >
      <QueryView query={query} gone={t.activity.gone(params.job)}>
        {({ job: loaded }) => (
          <>
            <Present job={loaded} />
            <JobSources job={loaded} />
            <Section title={t.common.details} card>
              <Facts facts={factsOf(loaded)} />
            </Section>
            {may('restore', loaded.repository_id) && <JobLog job={loaded} />}
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Present({ job }: { job: Job }) {
  if (job.status === 'pending')
    return <WaitsFor job={job} otherwise={t.activity.outcome.pending(kindOf(job))} />;
  return job.status === 'running' ? <RunningJob job={job} /> : <Outcome job={job} />;
}

function JobActions({ job }: { job: Job }) {
  const may = useMay();
  const id = job.repository_id;
  return (
    <>
      {id !== null && <ButtonLink href={`/repositories/${id}`}>{t.activity.openRepository}</ButtonLink>}
      {job.kind === 'restore' && !job.about.dump && may('operate', id) && (
        <ButtonLink href={`/restore?job=${job.id}`}>{t.activity.openRestore}</ButtonLink>
      )}
      {job.kind === 'drill' && id !== null && may('restore', id) && (
        <ButtonLink href={`/repositories/${id}/drills`}>{t.activity.openDrills}</ButtonLink>
      )}
      <CancelJob job={job} />
    </>
  );
}

type Fact = readonly [string, ComponentChildren] | null;

function factsOf(job: Job): Fact[] {
  const { about, progress_details: figures } = job;
  const path = (name: string, value: string | null | undefined): Fact =>
    value ? [name, <bdi key={name} class={styles.path} children={value} />] : null;
  const size = (name: string, value: number): Fact => (value > 0 ? [name, bytes(value)] : null);
  const time = (name: string, value: string | null): Fact =>
    value ? [name, <Time key={name} at={value} />] : null;
  return [
    time(t.activity.requested, job.requested_at),
    [t.activity.requestedBy, wordFor('by', job.requested_by) ?? job.requested_by],
    time(t.activity.started, job.started_at),
    time(t.activity.ended, job.completed_at),
    job.seconds === null ? null : [t.activity.took, duration(job.seconds)],
    path(t.activity.archive, about.archive),
    path(t.activity.dump, about.dump && `${about.dump.source}: ${about.dump.name}`),
    path(
      t.activity.destination,
      about.destination && `${about.destination_host ?? t.activity.thisMachine}: ${about.destination}`,
    ),
    figures.nfiles > 0 ? [t.activity.files, number(figures.nfiles)] : null,
    size(t.activity.original, figures.original_size),
    size(t.activity.added, figures.deduplicated_size),
  ];
}
