import { Link } from 'wouter-preact';
import type { Schemas } from '../../api/client.js';
import { bytes, inDays } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Bars } from '../../ui/strip.js';
import styles from './home.module.css';

const dayMs = 86_400_000;

/** What is stored, when the first disk is full, and the jobs of today. */
export function Totals({ overview }: { overview: Schemas['Overview'] }) {
  const { stored_bytes: stored, first_full: full, jobs_today: today } = overview.figures;
  return (
    <div class={styles.totals}>
      {stored && (
        <span>
          <strong>{bytes(stored.at(-1) ?? 0)}</strong> {t.home.stored}{' '}
          <Bars values={stored} label={t.home.grew(bytes(stored[0] ?? 0), bytes(stored.at(-1) ?? 0))} />{' '}
          <span class="muted small">{t.home.days}</span>
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
      {today.done + today.failed > 0 && (
        <Link href="/activity">{t.home.today(today.done, today.failed)}</Link>
      )}
    </div>
  );
}
