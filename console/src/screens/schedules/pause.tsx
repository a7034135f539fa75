import { useState } from 'preact/hooks';
import { outdate, useRead, write } from '../../api/api.js';
import { useIsAdmin } from '../../hub/is-admin.js';
import { moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ActionButton } from '../../ui/action-button.js';
import { announce } from '../../ui/announce.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { errorAt, TextField } from '../../ui/field.js';
import { Form, useAction } from '../../ui/form.js';
import { Notice } from '../../ui/notice.js';
import { localDay } from '../archives/archives.rules.js';

const dayMs = 86_400_000;

interface PauseFieldProps {
  value: string | null;
  onValue: (until: string | null) => void;
  error?: string | undefined;
}

/** A pause ends at the start of a day. */
export const PauseField = ({ value, onValue, error }: PauseFieldProps) => (
  <TextField
    type="date"
    min={localDay(Date.now() + dayMs)}
    label={t.schedules.fields.pause_until}
    hint={t.schedules.pauseHint}
    value={value ? localDay(value) : ''}
    onValue={(day) => onValue(day === '' ? null : new Date(`${day}T00:00:00`).toISOString())}
    error={error}
  />
);

async function pauseAll(pause_until: string | null) {
  await write('PUT', '/api/schedule/pause', { body: { pause_until } });
  announce(pause_until ? t.home.allPaused(moment(pause_until)) : t.schedules.pauseEnded);
  outdate('/api/schedule', '/api/overview');
}

/** Above the schedules, while all are paused. */
export function AllPaused() {
  const isAdmin = useIsAdmin();
  const until = useRead('/api/schedule/pause').data?.pause_until;
  if (!until) return null;
  return (
    <Notice
      kind="warning"
      title={t.home.allPaused(moment(until))}
      action={isAdmin && <ActionButton onAct={() => pauseAll(null)}>{t.schedules.endPause}</ActionButton>}
    >
      {t.schedules.pauseMeans}
    </Notice>
  );
}

export function PauseAll() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.schedules.pauseAll}</Button>
      {isOpen && <PauseDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function PauseDialog({ onClose }: { onClose: () => void }) {
  const [until, setUntil] = useState<string | null>(null);
  const action = useAction();
  const pause = () =>
    action.run(async () => {
      await pauseAll(until);
      onClose();
    });
  return (
    <Dialog title={t.schedules.pauseAll} onClose={onClose}>
      <Form
        action={action}
        onSubmit={pause}
        submit={t.schedules.pause}
        onCancel={onClose}
        disabled={until === null}
      >
        <p>{t.schedules.pauseMeans}</p>
        <PauseField value={until} onValue={setUntil} error={errorAt(action.error, 'pause_until')} />
      </Form>
    </Dialog>
  );
}
