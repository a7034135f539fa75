import { Minus, Plus } from 'lucide-preact';
import { t } from '../i18n/messages.js';
import { IconButton } from './button.js';
import { Field } from './field.js';
import styles from './stepper.module.css';

interface StepperProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: number;
  onValue: (value: number) => void;
  min?: number;
  max?: number;
}

/** A small count: typed, by arrow keys, or by its buttons. */
export function Stepper({ label, hint, error, value, onValue, min = 0, max = 9_999 }: StepperProps) {
  const set = (next: number) => onValue(Math.max(min, Math.min(max, Math.round(next) || 0)));
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <span class={styles.stepper}>
          <IconButton label={t.common.less(label)} disabled={value <= min} onClick={() => set(value - 1)}>
            <Minus aria-hidden="true" size={18} />
          </IconButton>
          <input
            {...ids}
            type="number"
            inputMode="numeric"
            min={min}
            max={max}
            value={value}
            onInput={(event) => set(event.currentTarget.valueAsNumber)}
          />
          <IconButton label={t.common.more(label)} disabled={value >= max} onClick={() => set(value + 1)}>
            <Plus aria-hidden="true" size={18} />
          </IconButton>
        </span>
      )}
    </Field>
  );
}
