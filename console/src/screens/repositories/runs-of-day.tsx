import { type Schemas, useRead } from '../../api/api.js';
import { dayOf, moment, number, ownZone } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { DataList } from '../../ui/data-list.js';
import { QueryView } from '../../ui/query-view.js';
import { stateOf } from '../activity/job-state.js';
import { localDay } from '../archives/archives.rules.js';

type Run = Schemas['HistoryRun'];

const wayTo = ({ job_id, schedule_id, repository_id }: Run): string => {
  if (job_id !== null) return `/activity/${job_id}`;
  return schedule_id !== null ? `/schedules/${schedule_id}` : `/repositories/${repository_id}/archives`;
};

/** Backups and planned runs of a day, and archives that another program made; of all repositories without one. */
export function RunsOfDay({ id, date }: { id: number | undefined; date: Date }) {
  const query = useRead('/api/history/runs', {
    query: { day: localDay(date), timezone: ownZone, ...(id !== undefined && { repository_id: id }) },
  });
  const { runsOf, nothing, firstRuns } = t.repository.days;
  return (
    <QueryView query={query} lines={2}>
      {({ runs, truncated }) => (
        <>
          <DataList
            label={runsOf(dayOf(date))}
            rows={runs}
            isPart
            keyOf={(run) => runs.indexOf(run)}
            linkOf={(run) => [wayTo(run)]}
            columns={(of) => [
              of.name(
                ({ archive_name, schedule_name }) =>
                  archive_name ?? schedule_name ?? t.archives.madeBy.manual,
              ),
              ...(id === undefined
                ? [of.text('repository', t.frame.kinds.repository, (run) => run.repository_name)]
                : []),
              of.state(
                ({ outcome }) =>
                  outcome === 'missed' || outcome === 'skipped' || outcome === 'refused'
                    ? { state: 'unknown', word: t.schedules.outcomes[outcome] }
                    : stateOf({ status: outcome }),
                '12rem',
              ),
              of.text('at', t.common.date, ({ at }) => moment(at), { width: '12rem' }),
            ]}
            empty={<p class="muted">{nothing}</p>}
          />
          {truncated && <p class="muted small">{firstRuns(number(runs.length))}</p>}
        </>
      )}
    </QueryView>
  );
}
