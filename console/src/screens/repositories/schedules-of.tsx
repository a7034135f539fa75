import { useRead } from '../../api/api.js';
import { moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { DataList } from '../../ui/data-list.js';
import { Empty, Section } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';

/** The schedules that back up into it. */
export function SchedulesOf({ id }: { id: number }) {
  const query = useRead('/api/schedule/');
  return (
    <Section title={t.repository.schedules}>
      <QueryView query={query} lines={1}>
        {({ jobs }) => (
          <DataList
            label={t.repository.schedules}
            rows={jobs.filter(({ repository_ids }) => repository_ids.includes(id))}
            empty={<Empty>{t.repository.noSchedule}</Empty>}
            linkOf={(schedule) => [`/schedules/${schedule.id}`]}
            columns={(of) => [
              of.name(({ name }) => name),
              of.text('keeps', t.schedules.howLong, ({ retention }) => t.repository.retention[retention]),
              of.text('next', t.repository.columns.next, ({ enabled, next_run }) =>
                !enabled ? t.common.states.off : next_run ? moment(next_run) : t.repository.manual,
              ),
            ]}
          />
        )}
      </QueryView>
    </Section>
  );
}
