import { useState } from 'preact/hooks';
import { t } from '../../i18n/messages.js';
import { CheckField, TextArea, TextField } from '../../ui/field.js';
import { Stack } from '../../ui/layout.js';
import { Stepper } from '../../ui/stepper.js';
import styles from './plan.module.css';
import type { Values } from './schedule-values.js';

type When = NonNullable<Values['when']>;
interface Field<T> {
  value: T;
  onValue: (value: T) => void;
  error?: string | undefined;
}
interface ConditionProps {
  when: Field<Values['when']>;
  retry: Field<Values['retry']>;
}

const workingHours = ['08:00', '18:00'];
const usualRetry = { times: 3, after_minutes: 15 };

/** What a run waits for, and how often a failed one is tried again. */
export function ConditionFields({ when, retry }: ConditionProps) {
  const { place_present, host_reachable, not_between: hours } = when.value ?? {};
  const set = (change: Partial<When>) => {
    const next = Object.entries({ ...when.value, ...change }).filter(([, value]) => hasEffect(value));
    when.onValue(next.length === 0 ? null : (Object.fromEntries(next) as When));
  };
  return (
    <Stack>
      <p class="muted small">{t.schedules.conditionsHint}</p>
      <CheckField
        label={t.schedules.placePresent}
        checked={place_present === true}
        onChecked={(isOn) => set({ place_present: isOn })}
      />
      <CheckField
        label={t.schedules.hostReachable}
        checked={host_reachable === true}
        onChecked={(isOn) => set({ host_reachable: isOn })}
      />
      <CheckField
        label={t.schedules.notBetween}
        checked={hours != null}
        onChecked={(isOn) => set({ not_between: isOn ? workingHours : null })}
      />
      {hours && (
        <div class={styles.beside}>
          {[t.schedules.notFrom, t.schedules.notUntil].map((label, index) => (
            <TextField
              key={label}
              type="time"
              label={label}
              required
              value={hours[index] ?? ''}
              onValue={(time) => set({ not_between: hours.with(index, time) })}
            />
          ))}
        </div>
      )}
      <MountField
        mounted={when.value?.mounted ?? []}
        onMounted={(mounted) => set({ mounted })}
        error={when.error}
      />
      <CheckField
        label={t.schedules.retry}
        hint={t.schedules.retryHint}
        checked={retry.value !== null}
        onChecked={(isOn) => retry.onValue(isOn ? usualRetry : null)}
      />
      {retry.value && <RetryFields value={retry.value} onValue={retry.onValue} />}
    </Stack>
  );
}

const hasEffect = (value: unknown) => value === true || (Array.isArray(value) && value.length > 0);

function MountField(props: {
  mounted: string[];
  onMounted: (all: string[]) => void;
  error?: string | undefined;
}) {
  const { mounted, onMounted, error } = props;
  // A line that was just begun stays.
  const [text, setText] = useState(mounted.join('\n'));
  return (
    <TextArea
      label={t.schedules.mounted}
      hint={t.schedules.mountedHint}
      rows={2}
      value={text}
      onValue={(next) => {
        setText(next);
        onMounted(next.split('\n').filter((line) => line.trim() !== ''));
      }}
      error={error}
    />
  );
}

function RetryFields({ value, onValue }: Field<NonNullable<Values['retry']>>) {
  return (
    <div class={styles.beside}>
      <Stepper
        label={t.schedules.retryTimes}
        min={1}
        max={10}
        value={value.times}
        onValue={(times) => onValue({ ...value, times })}
      />
      <Stepper
        label={t.schedules.retryAfter}
        min={1}
        max={1440}
        value={value.after_minutes}
        onValue={(after_minutes) => onValue({ ...value, after_minutes })}
      />
    </div>
  );
}
