import { useQuery } from '@tanstack/preact-query';
import { api } from '../../api/api.js';
import { answer } from '../../api/client.js';
import { dayOf, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Section } from '../../ui/layout.js';
import { ErrorText } from '../../ui/notice.js';
import { useSettled } from '../../ui/use-settled.js';
import styles from './plan.module.css';
import { cronOf, type Keep, keepsAnything, type Timing } from './plan.rules.js';
import { gapOf, type Simulation, simulate, simulatedDays } from './simulation.rules.js';
import { useCron } from './timing-fields.js';

interface SimulatorProps {
  timing: Timing;
  zone: string;
  prunes: boolean;
  rules: Keep;
}

/** 400 days of archives: a dot a day, filled if the rules leave something of it. */
export function Simulator({ timing, zone, prunes, rules }: SimulatorProps) {
  const validated = useCron(timing.every === 'custom' ? cronOf(timing) : '', zone).data;
  const gap = gapOf(timing, validated?.success ? validated.next_runs : []);
  if (gap === null || (prunes && !keepsAnything(rules))) return null;
  const now = Date.now();
  const simulation = simulate(timing, { prunes, rules, gap, now });
  const { made, kept, oldest } = simulation;
  const words = t.plan.simulated(kept, number(kept), number(made), oldest === null ? '' : dayOf(oldest));
  return (
    <figure class={styles.simulation}>
      <Dots simulation={simulation} label={words} />
      <div class={styles.scale} aria-hidden="true">
        <span>{t.plan.daysAgo(simulatedDays)}</span>
        <span>{t.plan.today}</span>
      </div>
      <figcaption class="small">{words}</figcaption>
    </figure>
  );
}

const step = 8;

function Dots({ simulation: { days }, label }: { simulation: Simulation; label: string }) {
  const first = new Date(days[0]?.at ?? 0).getUTCDay();
  const columns = Math.ceil((days.length + first) / 7);
  return (
    <svg class={styles.dots} viewBox={`0 0 ${columns * step} ${7 * step}`} role="img" aria-label={label}>
      {days.map(({ at, made, kept }, index) => (
        <circle
          key={at}
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
  scheduleId: number | null;
  rules: Keep;
}

/** What the rules would do to the archives that exist now. */
export function Preview({ repositories, scheduleId, rules }: PreviewProps) {
  const settled = useSettled(JSON.stringify(rules), 600);
  if (repositories.length === 0 || !keepsAnything(rules)) return null;
  return (
    <Section title={t.plan.existing} quiet>
      <ul>
        {repositories.map((repository) => (
          <Existing key={repository.id} {...{ repository, scheduleId, rules: settled }} />
        ))}
      </ul>
    </Section>
  );
}

function Existing({
  repository: { id, name },
  scheduleId,
  rules,
}: {
  repository: { id: number; name: string };
  scheduleId: number | null;
  rules: string;
}) {
  const { data, error } = useQuery({
    queryKey: ['/api/schedule/preview', id, scheduleId, rules],
    placeholderData: (before: unknown) => before as never,
    queryFn: ({ signal }) =>
      answer(
        api.POST('/api/schedule/preview', {
          body: { ...JSON.parse(rules), repository_id: id, schedule_id: scheduleId } as never,
          signal,
        }),
      ),
  });
  return (
    <li class="small">
      <bdi>{name}</bdi>:{' '}
      {error ? (
        <ErrorText error={error} />
      ) : data?.kept_count == null ? (
        '…'
      ) : data.kept_count + (data.removed_count ?? 0) === 0 ? (
        t.plan.noneYet
      ) : (
        t.plan.wouldStay(
          number(data.kept_count + (data.removed_count ?? 0)),
          data.kept_count,
          number(data.kept_count),
        )
      )}
    </li>
  );
}
