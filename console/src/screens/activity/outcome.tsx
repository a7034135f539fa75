import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { read, type Schemas } from '../../api/api.js';
import { overviewQuery } from '../../api/overview.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { useMay } from '../../hub/may.js';
import { moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ButtonLink } from '../../ui/button.js';
import { Row, Stack } from '../../ui/layout.js';
import { failureOf, Notice } from '../../ui/notice.js';
import { browseAddress } from '../browse/paths.rules.js';
import { kindOf, looks } from './job-state.js';
import { RunAgain } from './run-again.js';
import { canRunAgain, fixOf } from './run-again.rules.js';
import { NewData } from './running-job.js';
import { summaryOf } from './summary.js';

type Job = Schemas['JobView'];

/** Of an ended job: why it failed and what to do, or what it did and the next step. */
export function Outcome({ job }: { job: Job }) {
  const status = job.status as keyof typeof looks;
  const hasArchive = job.kind === 'backup' && status !== 'failed' && status !== 'cancelled';
  const summary = (hasArchive || job.kind !== 'backup') && summaryOf(job);
  return (
    <Notice kind={looks[status]} title={t.activity.outcome[status](kindOf(job))}>
      <Stack tight>
        {job.error_message && <p>{failureOf(job)}</p>}
        {job.about.dry_run && <p>{t.activity.dryRun}</p>}
        {summary && <p>{summary}</p>}
        {hasArchive && <NewData figures={job.progress_details} isEnded />}
        {status === 'failed' ? <Ways job={job} /> : status !== 'cancelled' && <NextStep job={job} />}
      </Stack>
    </Notice>
  );
}

/** To what has to change first, and the same job again. */
function Ways({ job }: { job: Job }) {
  const [, navigate] = useLocation();
  const isAdmin = useIsAdmin();
  const may = useMay();
  const id = job.repository_id;
  const { data } = useQuery({
    ...read('/api/repositories/{repo_id}', { path: { repo_id: id ?? 0 } }),
    enabled: id !== null,
  });
  const fix = id !== null && fixOf(job, Boolean(data?.repository.open_error));
  const hasFix = fix && (fix === 'maintenance' || (fix === 'settings' ? isAdmin : may('restore', id)));
  return (
    <Row>
      {hasFix && (
        <ButtonLink look="primary" href={`/repositories/${id}/${fix}`}>
          {fix === 'settings' ? t.activity.changeSources : t.common.whatToDo}
        </ButtonLink>
      )}
      {canRunAgain(job, data?.repository.mode, { isAdmin, mayOperate: may('operate', id) }) && (
        <RunAgain
          job={job}
          look={hasFix ? 'plain' : 'primary'}
          onStarted={(next) => navigate(`/activity/${next}`)}
        />
      )}
    </Row>
  );
}

function NextStep({ job: { kind, about, repository_id: id, schedule_id } }: { job: Job }) {
  const may = useMay();
  const { data } = useQuery({ ...overviewQuery(), enabled: kind === 'backup' });
  const known = data?.repositories.find((each) => each.id === id);
  if (id === null) return null;
  if (kind === 'backup')
    return (
      <Row>
        {about.archive && may('restore', id) && (
          <ButtonLink href={browseAddress(id, about.archive)}>{t.activity.restoreOne}</ButtonLink>
        )}
        {known && (
          <ButtonLink look="quiet" href={schedule_id === null ? '/schedules' : `/schedules/${schedule_id}`}>
            {known.next_run ? t.activity.nextRun(moment(known.next_run)) : t.activity.noNextRun}
          </ButtonLink>
        )}
      </Row>
    );
  const step = {
    check: may('restore', id) ? ['drills', t.activity.drillNext] : null,
    // After that of a schedule, its compact follows.
    prune:
      schedule_id === null && !about.dry_run && about.removed_count
        ? ['maintenance', t.activity.compactNext]
        : null,
    archive_deletion: ['maintenance', t.activity.compactNext],
  }[kind as string];
  return (
    step && (
      <Row>
        <ButtonLink href={`/repositories/${id}/${step[0]}`}>{step[1]}</ButtonLink>
      </Row>
    )
  );
}
