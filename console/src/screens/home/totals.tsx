import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { read } from '../../api/api.js';
import type { Schemas } from '../../api/client.js';
import { bytes, inDays, ownZone } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import styles from './home.module.css';

const dayMs = 86_400_000;

/** What is stored, when the first disk is full, and the jobs of today. */
export function Totals() {
  const { data } = useQuery(read('/api/overview/figures', { query: { timezone: ownZone } }));
  const { stored_bytes: stored = null, first_full: full, jobs_today: today } = data ?? {};
  return (
    <div class={styles.totals}>
      {stored !== null && (
        <span>
          <strong>{bytes(stored)}</strong> {t.home.stored} <Growth days={data?.days ?? []} />
        </span>
      )}
      {full && (
        <Link href={`/repositories/${full.repository_id}`}>
          {t.home.fullFirst(
            full.host ?? full.name,
            bytes(full.free_bytes),
            inDays((Date.parse(full.at) - Date.now()) / dayMs),
          )}
        </Link>
      )}
      {today && today.done + today.failed > 0 && (
        <Link href="/activity">{t.home.today(today.done, today.failed)}</Link>
      )}
    </div>
  );
}

/** The sum of each day, from zero. */
function Growth({ days }: { days: Schemas['OverviewFigures']['days'] }) {
  const most = Math.max(1, ...days.map(({ stored_bytes }) => stored_bytes));
  const words = t.home.grew(bytes(days[0]?.stored_bytes ?? 0), bytes(days.at(-1)?.stored_bytes ?? 0));
  return (
    <svg class={styles.growth} viewBox={`0 0 ${days.length * 4} 16`} role="img" aria-label={words}>
      <title>{words}</title>
      {days.map(({ date, stored_bytes }, n) => {
        const height = Math.max(1, (16 * stored_bytes) / most);
        return <rect key={date} x={n * 4} y={16 - height} width="3" height={height} />;
      })}
    </svg>
  );
}
