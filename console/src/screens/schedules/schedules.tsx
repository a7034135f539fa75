import { type Schemas, useRead } from '../../api/api.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { list, moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { ButtonLink } from '../../ui/button.js';
import { withTags } from '../../ui/columns.js';
import { DataList } from '../../ui/data-list.js';
import { Empty, Section } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { lastErrorOf } from '../../ui/sentence.js';
import { State } from '../../ui/state.js';
import { AllPaused, PauseAll } from './pause.js';
import { keepInWords, timingInWords } from './plan-words.js';
import { RunNow, useMayRun } from './run-now.js';
import { Timeline } from './timeline.js';
import { Toggle } from './toggle.js';
import { useRepositoryNames } from './use-repository-names.js';

type Schedule = Schemas['ScheduleView'];

export default function Schedules() {
  const isAdmin = useIsAdmin();
  const query = useRead('/api/schedule/');
  const upcoming = useRead('/api/schedule/upcoming-jobs', { query: { hours: 24 } });
  const nameOf = useRepositoryNames();
  const create = isAdmin && (
    <ButtonLink look="primary" href="/schedules/new">
      {t.frame.page.newSchedule}
    </ButtonLink>
  );
  return (
    <Page title={t.frame.place.schedules} actions={(query.data?.jobs.length ?? 0) > 0 && create}>
      <QueryView query={query} lines={5}>
        {({ jobs }) =>
          jobs.length === 0 ? (
            <Empty action={create}>{t.schedules.empty}</Empty>
          ) : (
            <>
              <AllPaused />
              <Section title={t.schedules.nextDay}>
                <QueryView query={upcoming} lines={2}>
                  {({ upcoming_jobs }) => <Timeline runs={upcoming_jobs} />}
                </QueryView>
              </Section>
              <Section title={t.schedules.all} actions={isAdmin && <PauseAll />}>
                <DataList
                  label={t.schedules.all}
                  rows={jobs}
                  columns={(of) => [
                    of.name(({ name }) => name, t.common.name, { ...withTags, width: 'minmax(0, 1fr)' }),
                    of.text('when', t.schedules.when, (one) =>
                      timingInWords(one.cron_expression, one.timezone),
                    ),
                    of.text('keeps', t.schedules.howLong, (one) => keepInWords(one.run_prune_after, one)),
                    of.text('repositories', t.frame.place.repositories, ({ repository_ids: ids }) =>
                      ids.length > 0 ? list(ids.map(nameOf)) : t.schedules.noRepositories,
                    ),
                    of.time('last', t.schedules.lastRunFact, ({ last_run }) => last_run, '–', '7rem'),
                    of.time('next', t.schedules.nextRunFact, nextOf, '–', '7rem'),
                  ]}
                  linkOf={({ id, name, enabled }) => [`/schedules/${id}`, `${name}, ${wordOf(enabled)}`]}
                  actionsWidth="11.5rem"
                  actions={(schedule) => <Actions schedule={schedule} isAdmin={isAdmin} />}
                  below={(schedule) =>
                    (schedule.last_error || schedule.pause_until || schedule.retention_paused.length > 0) && (
                      <Problems schedule={schedule} />
                    )
                  }
                />
              </Section>
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

const wordOf = (enabled: boolean) => (enabled ? t.notifications.enabled : t.common.states.off);
const nextOf = ({ enabled, next_run }: Schedule) => (enabled ? next_run : null);

function Actions({ schedule, isAdmin }: { schedule: Schedule; isAdmin: boolean }) {
  const { id, name, enabled } = schedule;
  const mayRun = useMayRun();
  return (
    <>
      {mayRun(schedule) && <RunNow id={id} name={name} />}
      {isAdmin ? (
        <Toggle id={id} name={name} enabled={enabled} />
      ) : (
        <State state={enabled ? 'protected' : 'off'} word={wordOf(enabled)} />
      )}
    </>
  );
}

const Problems = ({ schedule }: { schedule: Schedule }) => (
  <>
    {schedule.last_error && (
      <div>
        <State state="late" word={t.schedules.lastFailed} /> {lastErrorOf(schedule)}
      </div>
    )}
    {schedule.pause_until && <State state="off" word={t.schedules.isPaused(moment(schedule.pause_until))} />}
    {schedule.retention_paused.length > 0 && <State state="late" word={t.schedules.paused} />}
  </>
);
