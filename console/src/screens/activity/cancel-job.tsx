import { outdate, type Schemas, write } from '../../api/api.js';
import { useMay } from '../../hub/may.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { kindOf } from './job-state.js';

/** Nothing if it can't be cancelled. */
export function CancelJob({ job }: { job: Schemas['JobView'] }) {
  const may = useMay();
  if (!job.cancellable || job.cancel_requested || !may('operate', job.repository_id)) return null;
  return (
    <ConfirmButton
      title={t.activity.cancelTitle(kindOf(job))}
      action={t.activity.cancelJob}
      danger
      onConfirm={async () => {
        await write('POST', '/api/jobs/{job_id}/cancel', { path: { job_id: job.id } });
        announce(t.activity.cancelling);
        outdate('/api/jobs');
      }}
    >
      <p>{t.activity.cancelMeans[job.kind]}</p>
    </ConfirmButton>
  );
}
