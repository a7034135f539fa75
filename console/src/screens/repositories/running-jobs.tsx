import { useQuery } from '@tanstack/preact-query';
import { read } from '../../api/api.js';
import { duration } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Section } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { Progress } from '../../ui/progress.js';
import { Sentence } from '../../ui/sentence.js';
import { kindOf } from '../activity/job-state.js';
import styles from './repositories.module.css';

export function RunningJobs({ id }: { id: number }) {
  const { data } = useQuery(
    read('/api/jobs', { query: { repository_id: id, status: 'running,pending', limit: 20 } }),
  );
  if (!data || data.jobs.length === 0) return null;
  return (
    <Section title={t.repository.running}>
      <List label={t.repository.running}>
        {data.jobs.map((job) => {
          const kind = kindOf(job);
          const left = job.progress_details.estimated_time_remaining;
          return (
            <ListItem
              key={job.id}
              href={`/activity/${job.id}`}
              title={kind}
              note={
                job.waiting_for ? (
                  <Sentence
                    code={job.waiting_for_code}
                    params={job.waiting_for_params}
                    text={job.waiting_for}
                  />
                ) : (
                  t.common.jobStates[job.status]
                )
              }
            >
              {job.status === 'running' && (
                <div class={styles.bar}>
                  <Progress
                    percent={job.progress > 0 ? job.progress : null}
                    label={t.repository.progressOf(kind)}
                    {...(left > 0 && { note: t.common.left(duration(left)) })}
                  />
                </div>
              )}
            </ListItem>
          );
        })}
      </List>
    </Section>
  );
}
