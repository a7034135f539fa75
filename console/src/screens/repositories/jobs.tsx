import { useRead } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { ButtonLink } from '../../ui/button.js';
import { Section } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { JobList } from '../activity/job-list.js';
import { presentFirst } from './overview.rules.js';

/** The last jobs of a repository, or those that are not ended. */
export function Jobs({ id, present = false }: { id: number; present?: boolean }) {
  const only = present ? { status: 'running,pending' as never } : {};
  const query = useRead('/api/jobs', { query: { repository_id: id, limit: 20, ...only } });
  if (present && !query.data) return null;
  const title = present ? t.repository.running : t.repository.lastJobs;
  const all = (
    <ButtonLink look="quiet" href={`/activity?repository=${id}`}>
      {t.activity.showAll}
    </ButtonLink>
  );
  return (
    <QueryView query={query} lines={5}>
      {({ jobs }) =>
        jobs.length > 0 && (
          <Section title={title} actions={!present && all}>
            <JobList label={title} rows={presentFirst(jobs).slice(0, present ? undefined : 5)} isPart />
          </Section>
        )
      }
    </QueryView>
  );
}
