import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../api/client.js';
import { duration } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ListItem } from '../../ui/list.js';
import { Progress } from '../../ui/progress.js';
import { Sentence } from '../../ui/sentence.js';
import { Time } from '../../ui/time.js';
import { Reason } from '../../ui/waits-for.js';
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
  if (job.waiting_for) return <Reason job={job} />;
  if (!job.error_message) return job.status === 'running' ? <span>{job.progress_message}</span> : null;
  return (
    <span class={styles.twoLines}>
      <Sentence code={job.error_code} params={job.error_params} text={job.error_message} />
    </span>
  );
}
