import { useQuery } from '@tanstack/preact-query';
import { read } from '../../api/api.js';
import { moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Empty, Section } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { QueryView } from '../../ui/query-view.js';

/** The schedules that back up into it. */
export function SchedulesOf({ id }: { id: number }) {
  const query = useQuery(read('/api/schedule/'));
  return (
    <Section title={t.repository.schedules}>
      <QueryView query={query} lines={1}>
        {({ jobs }) => {
          const mine = jobs.filter(({ repository_ids }) => repository_ids.includes(id));
          if (mine.length === 0) return <Empty>{t.repository.noSchedule}</Empty>;
          return (
            <List label={t.repository.schedules}>
              {mine.map((schedule) => (
                <ListItem
                  key={schedule.id}
                  href={`/schedules/${schedule.id}`}
                  title={<bdi>{schedule.name}</bdi>}
                  note={t.repository.retention[schedule.retention]}
                >
                  {!schedule.enabled
                    ? t.common.states.off
                    : schedule.next_run
                      ? t.repository.nextAt(moment(schedule.next_run))
                      : t.repository.manual}
                </ListItem>
              ))}
            </List>
          );
        }}
      </QueryView>
    </Section>
  );
}
