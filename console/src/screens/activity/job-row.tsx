import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../api/client.js';
import { duration } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ListItem } from '../../ui/list.js';
import { Progress } from '../../ui/progress.js';
import { Sentence } from '../../ui/sentence.js';
import { Time } from '../../ui/time.js';
import styles from './activity.module.css';
import { JobState, kindOf } from './job-state.js';

type Job = Schemas['JobView'];

/** A job in a list, with its progress or its end, and why it failed or waits. */
export function JobRow({ job, actions }: { job: Job; actions?: ComponentChildren }) {
  const title = t.activity.of(kindOf(job), job.repository_name);
  const left = job.progress_details.estimated_time_remaining;
  return (
    <ListItem
      href={`/activity/${job.id}`}
      label={`${title}, ${t.common.jobStates[job.status]}`}
      title={<span class={styles.twoLines}>{title}</span>}
      note={<JobNote job={job} />}
    >
      {actions && <div class={styles.again}>{actions}</div>}
      {job.status === 'running' && (
        <div class={styles.bar}>
          <Progress
            percent={job.progress}
            label={`${t.activity.progress}: ${title}`}
            {...(left > 0 && { note: t.common.left(duration(left)) })}
          />
        </div>
      )}
      <span class={styles.state}>
        <JobState status={job.status} />
      </span>
      <span class={styles.time}>
        <Time plain at={job.completed_at ?? job.started_at ?? job.requested_at} />
        {job.seconds !== null && <span class="muted"> · {duration(job.seconds)}</span>}
      </span>
    </ListItem>
  );
}

function JobNote({ job }: { job: Job }) {
  const { waiting_for, waiting_for_code, waiting_for_params, error_message, error_code, error_params } = job;
  if (waiting_for) return <Sentence code={waiting_for_code} params={waiting_for_params} text={waiting_for} />;
  if (error_message)
    return (
      <span class={styles.twoLines}>
        <Sentence code={error_code} params={error_params} text={error_message} />
      </span>
    );
  return job.status === 'running' ? <span>{job.progress_message}</span> : null;
}
