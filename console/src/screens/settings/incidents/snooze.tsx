import { useState } from 'preact/hooks';
import { outdate, type Schemas, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { errorAt, SelectField, TextField } from '../../../ui/field.js';
import { Form, useAction } from '../../../ui/form.js';

const spans = { '1': 1, '3': 3, '7': 7, '30': 30, date: null } as const;
type Span = keyof typeof spans;

/** Pauses reminders, with a reason for other users. */
export function Snooze({ incident }: { incident: Schemas['IncidentDetails'] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{t.incidents.snooze}</Button>
      {isOpen && <SnoozeDialog id={incident.id} onClose={() => setOpen(false)} />}
    </div>
  );
}

function SnoozeDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const [span, setSpan] = useState<Span>('1');
  const [date, setDate] = useState('');
  const [reason, setReason] = useState('');
  const action = useAction();
  const until = () =>
    span === 'date' ? new Date(`${date}T08:00:00`) : new Date(Date.now() + spans[span] * 24 * 3_600_000);
  const snooze = () =>
    action.run(async () => {
      await write('POST', '/api/incidents/{incident_id}/snooze', {
        path: { incident_id: id },
        body: { until: until().toISOString(), reason },
      });
      announce(t.incidents.isSnoozed);
      outdate('/api/incidents', '/api/overview');
      onClose();
    });
  return (
    <Dialog title={t.incidents.snooze} onClose={onClose}>
      <Form
        action={action}
        onSubmit={snooze}
        submit={t.incidents.snooze}
        onCancel={onClose}
        disabled={reason.trim() === '' || (span === 'date' && date === '')}
      >
        <p>{t.incidents.snoozeMeans}</p>
        <SelectField
          label={t.incidents.until}
          value={span}
          onValue={setSpan}
          error={errorAt(action.error, 'until')}
          options={(['1', '3', '7', '30', 'date'] as const).map(
            (key) => [key, t.incidents.spans[key]] as const,
          )}
        />
        {span === 'date' && (
          <TextField label={t.common.date} type="date" required value={date} onValue={setDate} />
        )}
        <TextField
          label={t.home.why}
          hint={t.incidents.reasonHint}
          error={errorAt(action.error, 'reason')}
          required
          maxLength={500}
          value={reason}
          onValue={setReason}
        />
      </Form>
    </Dialog>
  );
}
