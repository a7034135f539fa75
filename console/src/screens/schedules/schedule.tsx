import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { outdate, outdateRemoved, readTagged, type Schemas, write } from '../../api/api.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import type { ScreenProps } from '../../shell/router.js';
import { ActionButton } from '../../ui/action-button.js';
import { announce } from '../../ui/announce.js';
import { ButtonLink } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { Facts, Section } from '../../ui/layout.js';
import { Menu } from '../../ui/menu.js';
import { ErrorNotice, lastErrorOf, Notice, reasonOf } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { AdoptDialog } from './adopt.js';
import { Ledger } from './ledger.js';
import { AllPaused } from './pause.js';
import { runTime } from './plan-words.js';
import { RunNow, useMayRun } from './run-now.js';
import { scheduleInWords } from './schedule-words.js';
import { Toggle } from './toggle.js';
import { useRepositoryNames } from './use-repository-names.js';

type Schedule = Schemas['SchedulesGetAnswer']['job'];

/** One schedule: its settings, its problems, and the outcome of each planned run. */
export default function ScheduleScreen({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const isAdmin = useIsAdmin();
  const mayRun = useMayRun();
  const query = useQuery(readTagged('/api/schedule/{job_id}', { path: { job_id: id } }));
  const schedule = query.data?.data.job;
  return (
    <Page
      title={schedule?.name ?? t.frame.place.schedules}
      up={[t.frame.place.schedules, '/schedules']}
      lead={schedule && scheduleInWords(schedule)}
      actions={
        schedule &&
        (isAdmin ? (
          <Actions schedule={schedule} etag={query.data?.etag} />
        ) : (
          mayRun(schedule) && <RunNow id={id} name={schedule.name} />
        ))
      }
    >
      <QueryView query={query} lines={6} gone={t.schedules.gone}>
        {({ data: { job } }) => (
          <>
            <Problems schedule={job} isAdmin={isAdmin === true} />
            <Section title={t.common.details} card>
              <ScheduleFacts schedule={job} />
            </Section>
            <Ledger id={id} name={job.name} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function ScheduleFacts({ schedule }: { schedule: Schedule }) {
  const nameOf = useRepositoryNames();
  const { enabled, next_runs, timezone, repository_ids, description, catch_up, manual_only } = schedule;
  const [next] = next_runs;
  return (
    <Facts
      facts={[
        [
          t.frame.place.repositories,
          repository_ids.length === 0 ? (
            t.schedules.noRepositories
          ) : (
            <ol key="repositories">
              {repository_ids.map((id) => (
                <li key={id}>
                  <Link href={`/repositories/${id}`}>
                    <bdi>{nameOf(id)}</bdi>
                  </Link>
                </li>
              ))}
            </ol>
          ),
        ],
        [t.schedules.nextRunFact, enabled && next ? runTime(next, timezone) : t.schedules.nothingPlanned],
        schedule.last_run ? [t.schedules.lastRunFact, <Time key="last" at={schedule.last_run} />] : null,
        manual_only ? null : [t.schedules.catchUp, t.schedules.catchUps[catch_up]],
        schedule.when || schedule.retry
          ? [t.schedules.conditions, <Conditions key="when" {...schedule} />]
          : null,
        schedule.last_prune ? [t.schedules.lastPrune, <Time key="prune" at={schedule.last_prune} />] : null,
        description ? [t.schedules.description, <bdi key="description">{description}</bdi>] : null,
      ]}
    />
  );
}

function Conditions({ when, retry }: Pick<Schedule, 'when' | 'retry'>) {
  const { place_present, host_reachable, not_between, mounted = [] } = when ?? {};
  const lines = [
    place_present && t.schedules.placePresent,
    host_reachable && t.schedules.hostReachable,
    not_between && t.schedules.notIn(not_between.join('–')),
    mounted.length > 0 && `${t.schedules.mounted}: ${mounted.join(', ')}`,
    retry && t.schedules.retries(retry.times, retry.after_minutes),
  ];
  return lines.flatMap((line) => (line ? [<div key={line}>{line}</div>] : []));
}

function Problems({ schedule, isAdmin }: { schedule: Schedule; isAdmin: boolean }) {
  const { retention_paused, enabled, pause_until } = schedule;
  return (
    <>
      {!enabled && <Notice>{t.schedules.isOff}</Notice>}
      <AllPaused />
      {pause_until && <Notice kind="warning">{t.schedules.isPaused(moment(pause_until))}</Notice>}
      {schedule.last_error && (
        <Notice kind="warning" title={t.schedules.lastFailed}>
          {lastErrorOf(schedule)}
        </Notice>
      )}
      {retention_paused.map((pause) => (
        <Notice
          key={pause.repository_id}
          kind="warning"
          title={t.schedules.pausedOf(pause.repository_name)}
          action={isAdmin && <Resume id={schedule.id} repositoryId={pause.repository_id} />}
        >
          {reasonOf(pause)} <Time at={pause.since} />
          <p>{t.schedules.pausedMeans}</p>
        </Notice>
      ))}
    </>
  );
}

function Resume({ id, repositoryId }: { id: number; repositoryId: number }) {
  const resume = async () => {
    await write('POST', '/api/schedule/{job_id}/resume-retention', {
      path: { job_id: id },
      body: { repository_id: repositoryId },
    });
    announce(t.schedules.resumed);
    outdate('/api/schedule', '/api/overview');
  };
  return <ActionButton onAct={resume}>{t.schedules.resume}</ActionButton>;
}

function Actions({ schedule, etag }: { schedule: Schedule; etag: string | undefined }) {
  const { id, name, enabled } = schedule;
  const [open, setOpen] = useState<'adopt' | 'delete' | null>(null);
  const action = useAction();
  const [, navigate] = useLocation();
  const duplicate = () =>
    action.run(async () => {
      const { job } = await write('POST', '/api/schedule/{job_id}/duplicate', { path: { job_id: id } });
      outdate('/api/schedule');
      announce(t.schedules.duplicated(job.name));
      navigate(`/schedules/${job.id}/edit`);
    });
  const remove = async () => {
    await write('DELETE', '/api/schedule/{job_id}', { path: { job_id: id }, etag });
    outdateRemoved('/api/schedule/{job_id}', '/api/schedule', '/api/overview');
    announce(t.common.deleted(name));
    navigate('/schedules');
  };
  return (
    <>
      <Toggle id={id} name={name} enabled={enabled} />
      <RunNow id={id} name={name} />
      <ButtonLink href={`/schedules/${id}/edit`}>{t.common.edit}</ButtonLink>
      <Menu
        label={t.schedules.more}
        items={[
          { label: t.schedules.duplicate, onSelect: () => void duplicate() },
          {
            label: t.schedules.adopt,
            disabled: schedule.repository_ids.length === 0,
            onSelect: () => setOpen('adopt'),
          },
          { label: t.schedules.delete, danger: true, onSelect: () => setOpen('delete') },
        ]}
      />
      {action.error ? <ErrorNotice error={action.error} /> : null}
      {open === 'adopt' && <AdoptDialog schedule={schedule} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={t.common.deleteTitle(name)}
          action={t.schedules.delete}
          danger
          typed={name}
          onConfirm={remove}
          onClose={() => setOpen(null)}
        >
          <p>{t.schedules.deleteMeans}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
