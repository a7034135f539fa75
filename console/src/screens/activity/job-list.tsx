import type { Schemas } from '../../api/client.js';
import { duration } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { DataList, type ListProps } from '../../ui/data-list.js';
import { Progress } from '../../ui/progress.js';
import { failureOf } from '../../ui/sentence.js';
import { Reason } from '../../ui/waits-for.js';
import { kindOf, stateOf } from './job-state.js';

type Job = Schemas['JobView'];

const titleOf = (job: Job): string => t.activity.of(kindOf(job), job.repository_name);

type JobListProps = Omit<ListProps<Job>, 'columns'>;

/** Jobs with their progress or their end, and why they failed or wait. */
export const JobList = (props: JobListProps) => (
  <DataList
    linkOf={(job) => [`/activity/${job.id}`, `${titleOf(job)}, ${t.common.jobStates[job.status]}`]}
    columns={(of) => [
      of.name(titleOf, t.activity.kind),
      of.state(stateOf, '12rem'),
      of.time('at', t.common.date, (job) => job.completed_at ?? job.started_at ?? job.requested_at),
      of.figure('took', t.activity.took, ({ seconds }) => seconds, duration, '6rem'),
    ]}
    below={noteOf}
    {...props}
  />
);

function noteOf(job: Job) {
  if (job.status === 'running') return <Running job={job} />;
  return job.waiting_for ? <Reason job={job} /> : failureOf(job);
}

function Running({ job }: { job: Job }) {
  const left = job.progress_details.estimated_time_remaining;
  const note = [job.progress_message, left > 0 && t.common.left(duration(left))].filter(Boolean).join(' · ');
  return <Progress percent={job.progress} label={`${t.activity.progress}: ${titleOf(job)}`} note={note} />;
}
