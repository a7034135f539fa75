import { useState } from 'preact/hooks';
import { outdate, useRead, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Button, ButtonLink } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { Notice, Sentence } from '../../../ui/notice.js';
import { Time } from '../../../ui/time.js';

/** Schedules with paused pruning because a backup lacked data. */
export function RetentionPauses({ id, isAdmin }: { id: number; isAdmin: boolean }) {
  const { data } = useRead('/api/schedule/');
  const [asked, setAsked] = useState<{ id: number; name: string } | null>(null);
  const pauses = (data?.jobs ?? []).flatMap((schedule) =>
    schedule.retention_paused
      .filter(
        ({ repository_id, reason_code }) => repository_id === id && reason_code !== 'archive_mass_change',
      )
      .map((pause) => ({ ...pause, schedule })),
  );
  return (
    <>
      {pauses.map(({ schedule, since, job_id, reason, reason_code, reason_params }) => (
        <Notice
          key={schedule.id}
          kind="warning"
          title={t.maintenance.paused.title(schedule.name)}
          action={
            <>
              {job_id !== null && (
                <ButtonLink href={`/activity/${job_id}`}>{t.maintenance.paused.openBackup}</ButtonLink>
              )}
              {isAdmin && (
                <Button
                  aria-label={`${t.maintenance.paused.resume}: ${schedule.name}`}
                  onClick={() => setAsked(schedule)}
                >
                  {t.maintenance.paused.resume}
                </Button>
              )}
            </>
          }
        >
          <Sentence code={reason_code} params={reason_params} text={reason} /> (<Time at={since} />)
        </Notice>
      ))}
      {asked && (
        <ConfirmDialog
          title={t.maintenance.paused.title(asked.name)}
          action={t.maintenance.paused.resume}
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            const given = { path: { job_id: asked.id }, body: { repository_id: id } };
            await write('POST', '/api/schedule/{job_id}/resume-retention', given);
            announce(t.common.saved);
            outdate('/api/schedule', '/api/overview');
          }}
        >
          <p>{t.maintenance.paused.means}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
