import { useLocation } from 'wouter-preact';
import { api } from '../../api/api.js';
import { answer } from '../../api/client.js';
import { outdate } from '../../api/query-client.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { Button } from '../../ui/button.js';
import { ErrorNotice } from '../../ui/notice.js';
import { useAction } from '../../ui/use-action.js';

/** Starts the schedule once; one backup opens, of several the list of them. */
export function RunNow({ id, name }: { id: number; name: string }) {
  const action = useAction();
  const [, navigate] = useLocation();
  const run = () =>
    action.run(async () => {
      const { job_ids } = await answer(
        api.POST('/api/schedule/{job_id}/run-now', { params: { path: { job_id: id } } }),
      );
      announce(t.schedules.started(name));
      outdate('/api/schedule', '/api/jobs', '/api/overview');
      navigate(job_ids.length === 1 ? `/activity/${job_ids[0]}` : '/activity');
    });
  return (
    <>
      <Button busy={action.isBusy} aria-label={`${t.schedules.runNow}: ${name}`} onClick={() => void run()}>
        {t.schedules.runNow}
      </Button>
      {action.error ? <ErrorNotice error={action.error} /> : null}
    </>
  );
}
