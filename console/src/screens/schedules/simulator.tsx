import { useQuery } from '@tanstack/preact-query';
import { type Schemas, write } from '../../api/api.js';
import { dayOf, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Section } from '../../ui/layout.js';
import { ErrorText } from '../../ui/notice.js';
import { useSettled } from '../../ui/use-settled.js';
import { lostInWords } from '../archives/lost-words.js';
import styles from './plan.module.css';
import { type Keep, keepsAnything } from './plan.rules.js';

type Simulation = NonNullable<Schemas['PreviewAnswer']['simulation']>;

const preview = (body: unknown, signal: AbortSignal) =>
  write('POST', '/api/schedule/preview', { body: body as never, signal });

interface SimulatorProps {
  cron: string;
  zone: string;
  prunes: boolean;
  rules: Keep;
}

/** 400 days of archives: a dot a day, filled if the rules leave something of it. */
export function Simulator({ cron, zone, prunes, rules }: SimulatorProps) {
  const asked = useSettled(JSON.stringify({ ...rules, cron_expression: cron, timezone: zone }), 600);
  const { data } = useQuery({
    queryKey: ['/api/schedule/preview', asked],
    enabled: cron !== '' && prunes && keepsAnything(rules),
    staleTime: 60_000,
    placeholderData: (before: unknown) => before as never,
    queryFn: ({ signal }) => preview({ ...JSON.parse(asked), simulate: true }, signal),
  });
  if (cron === '' || !prunes || !keepsAnything(rules) || !data?.simulation) return null;
  const { days, made, kept, oldest } = data.simulation;
  const words = t.plan.simulated(kept, number(kept), number(made), oldest === null ? '' : dayOf(oldest));
  return (
    <figure class={styles.simulation}>
      <Dots days={days} label={words} />
      <div class={styles.scale} aria-hidden="true">
        <span>{t.plan.daysAgo(days.length)}</span>
        <span>{t.plan.today}</span>
      </div>
      <figcaption class="small">{words}</figcaption>
    </figure>
  );
}

const step = 8;

function Dots({ days, label }: { days: Simulation['days']; label: string }) {
  const first = new Date(days[0]?.date ?? 0).getUTCDay();
  const columns = Math.ceil((days.length + first) / 7);
  return (
    <svg class={styles.dots} viewBox={`0 0 ${columns * step} ${7 * step}`} role="img" aria-label={label}>
      {days.map(({ date, made, kept }, index) => (
        <circle
          key={date}
          class={made === 0 ? styles.none : kept > 0 ? styles.kept : undefined}
          cx={Math.floor((index + first) / 7) * step + step / 2}
          cy={((index + first) % 7) * step + step / 2}
          r={made === 0 ? 0.7 : kept > 0 ? 3 : 1.6}
        />
      ))}
    </svg>
  );
}

interface PreviewProps {
  repositories: readonly { id: number; name: string }[];
  /** Null for a new schedule, which owns no archive yet. */
  scheduleId: number | null;
  zone: string;
  rules: Keep;
}

export function Preview({ repositories, scheduleId, zone, rules }: PreviewProps) {
  const settled = useSettled(JSON.stringify({ ...rules, timezone: zone }), 600);
  if (repositories.length === 0 || !keepsAnything(rules)) return null;
  return (
    <Section title={t.movingIn.oldArchives} quiet>
      <ul>
        {repositories.map((repository) => (
          <Existing key={repository.id} {...{ repository, scheduleId, rules: settled }} />
        ))}
      </ul>
    </Section>
  );
}

type ExistingProps = Pick<PreviewProps, 'scheduleId'> & {
  repository: PreviewProps['repositories'][number];
  rules: string;
};

function Existing({ repository: { id, name }, scheduleId, rules }: ExistingProps) {
  const { data, error } = useQuery({
    queryKey: ['/api/schedule/preview', id, scheduleId, rules],
    placeholderData: (before: unknown) => before as never,
    queryFn: ({ signal }) =>
      preview(
        { ...JSON.parse(rules), repository_id: id, schedule_id: scheduleId, lost: scheduleId !== null },
        signal,
      ),
  });
  return (
    <li class="small">
      <bdi>{name}</bdi>:{' '}
      {error ? (
        <ErrorText error={error} />
      ) : data?.kept_count == null ? (
        '…'
      ) : (
        <>
          {whatHappens(data.kept_count, data.removed_count ?? 0, scheduleId)}
          {data.lost && (data.removed_count ?? 0) > 0 && ` ${lostInWords(data.lost)}`}
        </>
      )}
    </li>
  );
}

function whatHappens(kept: number, removed: number, scheduleId: number | null): string {
  const all = kept + removed;
  if (all === 0) return t.plan.noneYet;
  if (scheduleId === null) return t.plan.allStay(all, number(all));
  return t.plan.wouldStay(number(all), number(kept));
}
