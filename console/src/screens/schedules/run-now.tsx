import { useLocation } from 'wouter-preact';
import { outdate, write } from '../../api/api.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { useIsLimited, useMay } from '../../hub/may.js';
import { t } from '../../i18n/messages.js';
import { ActionButton } from '../../ui/action-button.js';
import { announce } from '../../ui/announce.js';

/** Administrators, and limited users with the right for all its repositories. */
export function useMayRun(): (schedule: { repository_ids: readonly number[] }) => boolean {
  const isAdmin = useIsAdmin();
  const isLimited = useIsLimited();
  const may = useMay();
  return ({ repository_ids: ids }) => isAdmin || (isLimited && ids.every((id) => may('operate', id)));
}

/** Starts the schedule once; one backup opens, of several the list of them. */
export function RunNow({ id, name }: { id: number; name: string }) {
  const [, navigate] = useLocation();
  const run = async () => {
    const { job_ids } = await write('POST', '/api/schedule/{job_id}/run-now', { path: { job_id: id } });
    announce(t.schedules.started(name));
    outdate('/api/schedule', '/api/jobs', '/api/overview');
    navigate(job_ids.length === 1 ? `/activity/${job_ids[0]}` : '/activity');
  };
  return (
    <ActionButton aria-label={`${t.schedules.runNow}: ${name}`} onAct={run}>
      {t.schedules.runNow}
    </ActionButton>
  );
}
