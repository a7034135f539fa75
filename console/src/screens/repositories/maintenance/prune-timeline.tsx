import type { Schemas } from '../../../api/client.js';
import { moment, monthOf } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { ruleInWords } from '../../../ui/rule-words.js';
import { byMonth } from '../../archives/archives.rules.js';
import styles from './maintenance.module.css';
import { isRemoved } from './prune.rules.js';

type Pruned = Schemas['PrunedArchive'];

/** Each archive with the rule that keeps it, or that it goes; newest first, by months. */
export function PruneTimeline({ archives }: { archives: readonly Pruned[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys.
    <div class={styles.timeline} tabIndex={0} role="region" aria-label={t.maintenance.prune.timeline}>
      {byMonth(archives, monthOf).map(([month, made]) => (
        <ul key={month} aria-label={month}>
          <li class={styles.month} aria-hidden="true">
            {month}
          </li>
          {made.map((archive) => (
            <li key={archive.name} class={isRemoved(archive) ? styles.goes : undefined}>
              <span class={styles.when}>
                <bdi>{archive.name}</bdi> <span class="muted small">{moment(archive.start)}</span>
              </span>
              <span class={styles.rule}>{ruleInWords(archive.rule)}</span>
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
}
