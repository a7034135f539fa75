import { useQuery } from '@tanstack/preact-query';
import { read } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { Section } from '../../ui/layout.js';
import { JobList } from '../activity/job-list.js';

export function RunningJobs({ id }: { id: number }) {
  const { data } = useQuery(
    read('/api/jobs', { query: { repository_id: id, status: 'running,pending', limit: 20 } }),
  );
  if (!data || data.jobs.length === 0) return null;
  return (
    <Section title={t.repository.running}>
      <JobList label={t.repository.running} rows={data.jobs} isPart />
    </Section>
  );
}
