import { useQuery } from '@tanstack/preact-query';
import { read } from '../../api/api.js';
import type { Schemas } from '../../api/client.js';
import { user as signedIn } from '../../hub/link.js';
import { list } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { useStore } from '../../store.js';
import { ButtonLink } from '../../ui/button.js';
import { Empty, Row, Section } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { QueryView } from '../../ui/query-view.js';
import { Sentence } from '../../ui/sentence.js';
import { State } from '../../ui/state.js';
import { Time } from '../../ui/time.js';
import { RunNow } from './run-now.js';
import { scheduleInWords } from './schedule-words.js';
import { Timeline } from './timeline.js';
import { Toggle } from './toggle.js';

type Schedule = Schemas['ScheduleView'];

/** Runs of the next day, then each schedule as one sentence. */
export default function Schedules() {
  const isAdmin = useStore(signedIn)?.is_admin;
  const query = useQuery(read('/api/schedule/'));
  const upcoming = useQuery(read('/api/schedule/upcoming-jobs', { query: { hours: 24 } }));
  const repositories = useQuery(read('/api/repositories/'));
  const names = new Map(repositories.data?.repositories.map(({ id, name }) => [id, name]));
  const create = (
    <ButtonLink look="primary" href="/schedules/new">
      {t.schedules.create}
    </ButtonLink>
  );
  const hasAny = (query.data?.jobs.length ?? 0) > 0;
  return (
    <Page title={t.schedules.title} actions={isAdmin && hasAny && create}>
      <QueryView query={query} lines={5}>
        {({ jobs }) =>
          jobs.length === 0 ? (
            <Empty action={isAdmin && create}>{t.schedules.empty}</Empty>
          ) : (
            <>
              <Section title={t.schedules.nextDay}>
                <QueryView query={upcoming} lines={2}>
                  {({ upcoming_jobs }) => <Timeline runs={upcoming_jobs} />}
                </QueryView>
              </Section>
              <Section title={t.schedules.all}>
                <List label={t.schedules.all}>
                  {jobs.map((schedule) => (
                    <ScheduleRow
                      key={schedule.id}
                      schedule={schedule}
                      repositories={schedule.repository_ids.map((id) => names.get(id) ?? '…')}
                      isAdmin={isAdmin === true}
                    />
                  ))}
                </List>
              </Section>
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

interface RowProps {
  schedule: Schedule;
  repositories: readonly string[];
  isAdmin: boolean;
}

function ScheduleRow({ schedule, repositories, isAdmin }: RowProps) {
  const { id, name, enabled, last_error, last_error_code, last_error_params, next_run, last_run } = schedule;
  return (
    <ListItem
      href={`/schedules/${id}`}
      label={`${name}, ${enabled ? t.schedules.on : t.schedules.off}`}
      title={<bdi>{name}</bdi>}
      note={
        <>
          <div>{scheduleInWords(schedule)}</div>
          <div>
            <bdi>{repositories.length > 0 ? list(repositories) : t.schedules.noRepositories}</bdi>
          </div>
          {last_error && (
            <div>
              <State state="late" word={t.schedules.lastFailed} />{' '}
              <Sentence code={last_error_code} params={last_error_params} text={last_error} />
            </div>
          )}
          {schedule.retention_paused.length > 0 && <State state="late" word={t.schedules.paused} />}
          <div>
            {last_run ? (
              <>
                {t.schedules.lastRun} <Time plain at={last_run} />
              </>
            ) : (
              t.schedules.neverRan
            )}
            {' · '}
            {enabled && next_run ? (
              <>
                {t.schedules.nextRun} <Time plain at={next_run} />
              </>
            ) : (
              t.schedules.nothingPlanned
            )}
          </div>
        </>
      }
      actions={
        isAdmin ? (
          <Row>
            <RunNow id={id} name={name} />
            <Toggle id={id} name={name} enabled={enabled} />
          </Row>
        ) : (
          <State state={enabled ? 'protected' : 'off'} word={enabled ? t.schedules.on : t.schedules.off} />
        )
      }
    />
  );
}
