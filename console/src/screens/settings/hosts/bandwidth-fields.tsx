import { X } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { bytes, ownZone } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Button, IconButton } from '../../../ui/button.js';
import { Group, TextField } from '../../../ui/field.js';
import styles from './hosts.module.css';
import type { Connection } from './parts.js';

type Bandwidth = NonNullable<Connection['bandwidth']>;
type Hours = Bandwidth['hours'][number];

const speed = (rate: number | null) => (rate === null ? t.hosts.unlimited : `${bytes(rate)}/s`);

/** As in `1 MB/s; 08:00–18:00 (Europe/Berlin): unlimited`. */
export const bandwidthInWords = (value: Bandwidth | null): string =>
  value === null
    ? t.hosts.unlimited
    : [
        speed(value.bytes_per_second),
        ...value.hours.map(
          ({ from, to, bytes_per_second: rate }) => `${from}–${to} (${value.timezone}): ${speed(rate)}`,
        ),
      ].join('; ');

interface FieldsProps {
  value: Bandwidth | null;
  onValue: (value: Bandwidth | null) => void;
  error: string | undefined;
}

/** The limit of a connection, and other limits at some hours. */
export function BandwidthFields({ value, onValue, error }: FieldsProps) {
  const {
    bytes_per_second: rate,
    hours,
    timezone,
  } = value ?? {
    bytes_per_second: null,
    hours: [],
    timezone: ownZone,
  };
  const change = (part: Partial<Bandwidth>) => {
    const next = { bytes_per_second: rate, hours, timezone, ...part };
    onValue(next.bytes_per_second === null && next.hours.length === 0 ? null : next);
  };
  const changeHours = (at: number, part: Partial<Hours>) =>
    change({ hours: hours.map((each, index) => (index === at ? { ...each, ...part } : each)) });
  return (
    <Group legend={t.hosts.fields.bandwidth}>
      <SpeedField
        hint={t.hosts.hints.bandwidth}
        error={error}
        value={rate}
        onValue={(next) => change({ bytes_per_second: next })}
      />
      {hours.map((each, at) => (
        <div key={at} class={styles.hours}>
          <TextField
            type="time"
            label={t.hosts.from}
            required
            value={each.from}
            onValue={(from) => changeHours(at, { from })}
          />
          <TextField
            type="time"
            label={t.hosts.to}
            required
            value={each.to}
            onValue={(to) => changeHours(at, { to })}
          />
          <SpeedField
            value={each.bytes_per_second}
            onValue={(next) => changeHours(at, { bytes_per_second: next })}
          />
          <IconButton
            label={t.hosts.removeHours(each.from, each.to)}
            onClick={() => change({ hours: hours.filter((other) => other !== each) })}
          >
            <X aria-hidden="true" size={18} />
          </IconButton>
        </div>
      ))}
      {hours.length > 0 && <p class="muted small">{t.hosts.zone(timezone)}</p>}
      <Button
        onClick={() =>
          change({ hours: [...hours, { from: '08:00', to: '18:00', bytes_per_second: 1_000_000 }] })
        }
      >
        {t.hosts.addHours}
      </Button>
    </Group>
  );
}

interface SpeedProps {
  value: number | null;
  onValue: (value: number | null) => void;
  hint?: string;
  error?: string | undefined;
}

/** Empty: unlimited. */
function SpeedField({ value, onValue, ...rest }: SpeedProps) {
  const [text, setText] = useState('');
  const shown = rateOf(text) === value ? text : String((value ?? 0) / 1e6);
  return (
    <TextField
      {...rest}
      type="number"
      inputMode="decimal"
      label={t.hosts.megabytes}
      placeholder={t.hosts.unlimited}
      min={0.01}
      step="any"
      value={shown}
      onValue={(next) => {
        setText(next);
        onValue(rateOf(next));
      }}
    />
  );
}

const rateOf = (text: string) => (text === '' ? null : Math.round(Number(text) * 1e6));
