import { useState } from 'preact/hooks';
import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { TextField } from '../../ui/field.js';
import { Form } from '../../ui/form.js';
import { numberToType, type Order, type Plan, writtenOf } from './restore.rules.js';

interface ConfirmProps {
  order: Order;
  plan: Plan;
  isStarting: boolean;
  onStart: () => void;
  onBack: () => void;
}

/** One button if nothing is overwritten. To replace files, their number must be typed first. */
export function Confirm({ order, plan, isStarting, onStart, onBack }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const wanted = numberToType(order, plan);
  const isReady = wanted === null || typed.replace(/[\s.,’']/g, '') === String(wanted);
  const replaces = order.existing === 'replace' && plan.collisions.count > 0;
  const count = writtenOf(order, plan);
  return (
    <Form
      action={{ isBusy: isStarting, error: null }}
      onSubmit={onStart}
      submit={
        replaces
          ? t.restore.startReplacing(plan.collisions.count, number(plan.collisions.count))
          : order.kind === 'back'
            ? t.restore.startBack(count, number(count))
            : t.restore.start(count, number(count), plan.destination)
      }
      danger={replaces}
      disabled={!isReady}
      buttons={<Button onClick={onBack}>{t.restore.otherTarget}</Button>}
    >
      {wanted !== null && (
        <TextField
          label={t.restore.typeReplaced(number(wanted))}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onValue={setTyped}
        />
      )}
    </Form>
  );
}
