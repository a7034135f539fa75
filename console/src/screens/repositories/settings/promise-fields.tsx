import { useState } from 'preact/hooks';
import { t } from '../../../i18n/messages.js';
import { errorAt, RadioGroup, TextField } from '../../../ui/field.js';

interface PromiseFieldsProps {
  hours: number | null;
  onHours: (hours: number | null) => void;
  error: unknown;
}

export function PromiseFields({ hours, onHours, error }: PromiseFieldsProps) {
  const [text, setText] = useState(String(hours ?? 26));
  const [seen, setSeen] = useState(hours);
  if (seen !== hours) {
    // The value was changed by another user, or replaced by this one.
    setSeen(hours);
    if (hours !== null && hours !== Number(text)) setText(String(hours));
  }
  const put = (value: string) => {
    setText(value);
    onHours(Number(value));
  };
  return (
    <>
      <RadioGroup
        legend={t.repository.promise.question}
        value={hours === null ? 'schedules' : 'own'}
        onValue={(choice) => (choice === 'own' ? put(text) : onHours(null))}
        options={[
          {
            value: 'schedules',
            label: t.repository.promise.ofSchedules,
            hint: t.repository.promise.ofSchedulesHint,
          },
          { value: 'own', label: t.repository.promise.own },
        ]}
      />
      {hours !== null && (
        <TextField
          label={t.repository.promise.hours}
          type="number"
          inputMode="numeric"
          required
          min={1}
          max={87_600}
          step={1}
          value={text}
          onValue={put}
          error={errorAt(error, 'freshness_hours')}
        />
      )}
    </>
  );
}
