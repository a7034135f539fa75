import type { Schemas } from '../../api/client.js';
import { moment, timeOf } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { timeTicks } from '../repositories/plots/axis.rules.js';
import styles from './schedules.module.css';

const hourMs = 3_600_000;
const hours = 24;
const listed = 5;

/** The next 24 hours as a line: a mark at each run, the soonest ones in words below. */
export function Timeline({ runs }: { runs: readonly Schemas['UpcomingJob'][] }) {
  if (runs.length === 0) return <p class="muted">{t.schedules.nothingNextDay}</p>;
  const now = Date.now();
  const ticks = timeTicks(now / 1000, now / 1000 + hours * 3600, 5).map((at) => at * 1000);
  const x = (at: number) => `${(2 + (96 * (at - now)) / (hours * hourMs)).toFixed(2)}%`;
  return (
    <div class={styles.timeline}>
      <svg height="44" role="img" aria-label={t.schedules.runsNextDay(runs.length)}>
        <line x1="2%" x2="98%" y1="14" y2="14" />
        {ticks.map((at) => (
          <g key={at}>
            <line x1={x(at)} x2={x(at)} y1="10" y2="18" />
            <text x={x(at)} y="38" text-anchor="middle">
              {timeOf(at)}
            </text>
          </g>
        ))}
        {runs.map(({ id, name, next_run }) => (
          <circle key={`${id} ${next_run}`} cx={x(Date.parse(next_run))} cy="14" r="6">
            <title>{`${timeOf(next_run)} ${name}`}</title>
          </circle>
        ))}
      </svg>
      <ol>
        {runs.slice(0, listed).map(({ id, name, next_run, repository }) => (
          <li key={`${id} ${next_run}`}>
            <time dateTime={next_run}>{moment(next_run)}</time> <strong>{name}</strong>
            {repository && (
              <>
                : <bdi>{repository}</bdi>
              </>
            )}
          </li>
        ))}
      </ol>
      {runs.length > listed && <p class="muted small">{t.schedules.moreRuns(runs.length - listed)}</p>}
    </div>
  );
}
