import { useQuery } from '@tanstack/preact-query';
import { write } from '../../api/api.js';
import { ownZone } from '../../i18n/format.js';
import { locale } from '../../i18n/locale.js';
import { t } from '../../i18n/messages.js';
import { CheckField, Group, SelectField, TextField } from '../../ui/field.js';
import { Stack } from '../../ui/layout.js';
import { Notice, Sentence } from '../../ui/notice.js';
import { Stepper } from '../../ui/stepper.js';
import { useSettled } from '../../ui/use-settled.js';
import styles from './plan.module.css';
import { cronOf, type Every, type Timing } from './plan.rules.js';
import { dayNames, runTime } from './plan-words.js';

interface TimingProps {
  timing: Timing;
  onTiming: (timing: Timing) => void;
  zone: string;
  onZone: (zone: string) => void;
  /** Not for the first schedule: it would never run. */
  withManual?: boolean;
}

const choices: readonly Every[] = ['day', 'days', 'hour', 'custom', 'manual'];

export function TimingFields({ timing, onTiming, zone, onZone, withManual = true }: TimingProps) {
  const { every, time, days, minute, cron } = timing;
  const set = (change: Partial<Timing>) => onTiming({ ...timing, ...change });
  return (
    <Stack>
      <div class={styles.beside}>
        <SelectField
          label={t.plan.every}
          value={every}
          onValue={(next) =>
            set({ every: next, cron: next === 'custom' && cron === '' ? cronOf(timing) : cron })
          }
          options={choices
            .filter((choice) => withManual || choice !== 'manual')
            .map((choice) => [choice, t.plan.choices[choice]] as const)}
        />
        {(every === 'day' || every === 'days') && (
          <TextField
            type="time"
            label={t.plan.time}
            required
            value={time}
            onValue={(next) => set({ time: next })}
          />
        )}
        {every === 'hour' && (
          <Stepper label={t.plan.minute} max={59} value={minute} onValue={(next) => set({ minute: next })} />
        )}
      </div>
      {every === 'days' && (
        <Group legend={t.plan.onDays}>
          <div class={styles.days}>
            {dayNames().map(([day, name]) => (
              <CheckField
                key={day}
                label={name}
                checked={days.includes(day)}
                onChecked={(isOn) =>
                  set({ days: isOn ? [...days, day] : days.filter((other) => other !== day) })
                }
              />
            ))}
          </div>
        </Group>
      )}
      {every === 'custom' && (
        <>
          <TextField
            label={t.plan.cron}
            hint={t.plan.cronHint}
            required
            value={cron}
            onValue={(next) => set({ cron: next })}
            exact
          />
          <NextRuns cron={cron.trim()} zone={zone} />
        </>
      )}
      {every !== 'manual' && every !== 'hour' && (
        <SelectField
          label={t.plan.zone}
          value={zone}
          onValue={onZone}
          options={zones(zone).map((name) => [name, name] as const)}
        />
      )}
    </Stack>
  );
}

const zones = (current: string): string[] => [
  ...new Set(['UTC', ownZone, current, ...Intl.supportedValuesOf('timeZone')]),
];

/** The next runs of an expression, or its error, from the server. */
function NextRuns({ cron, zone }: { cron: string; zone: string }) {
  const settled = useSettled(cron);
  const { data } = useQuery({
    queryKey: ['validate-cron', settled, zone],
    enabled: settled !== '',
    staleTime: 60_000,
    placeholderData: (before: unknown) => before as never,
    queryFn: ({ signal }) => {
      const body = { cron_expression: settled, timezone: zone } as never;
      return write('POST', '/api/schedule/validate-cron', { body, signal });
    },
  });
  if (!data || cron === '') return null;
  if (!data.success)
    return (
      <Notice kind="error" live>
        <Sentence code={data.error_code} params={data.error_params} text={data.error} />
      </Notice>
    );
  return (
    <div role="status">
      {locale() === 'en' && <p>{data.description}.</p>}
      <p class="muted small">{t.plan.nextRuns}</p>
      <ol class={styles.runs}>
        {data.next_runs.slice(0, 5).map((at) => (
          <li key={at}>{runTime(at, zone)}</li>
        ))}
      </ol>
    </div>
  );
}
