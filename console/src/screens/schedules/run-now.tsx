import { useLocation } from 'wouter-preact';
import { outdate, write } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { ActionButton } from '../../ui/action-button.js';
import { announce } from '../../ui/announce.js';

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
