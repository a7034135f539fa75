import { useQuery } from '@tanstack/preact-query';
import { read } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { Section } from '../../ui/layout.js';
import { List } from '../../ui/list.js';
import { JobRow } from '../activity/job-row.js';

export function RunningJobs({ id }: { id: number }) {
  const { data } = useQuery(
    read('/api/jobs', { query: { repository_id: id, status: 'running,pending', limit: 20 } }),
  );
  if (!data || data.jobs.length === 0) return null;
  return (
    <Section title={t.repository.running}>
      <List label={t.repository.running} compact>
        {data.jobs.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </List>
    </Section>
  );
}
