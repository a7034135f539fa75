import { number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import styles from './maintenance.module.css';
import { type Fate, fateOf, type Pruned } from './prune.rules.js';

/** Each fate has its own height, so the picture doesn't rely on colour. */
const heights: Record<Fate, number> = { kept: 24, pinned: 32, removed: 10 };
const fates = Object.keys(heights) as Fate[];
const [step, top] = [6, 32];

/** A bar for each archive, the oldest first. */
export function PruneBars({ archives }: { archives: readonly Pruned[] }) {
  const all = archives.map(fateOf).reverse();
  const shown = fates
    .map((fate) => [fate, all.filter((each) => each === fate).length] as const)
    .filter(([, count]) => count > 0);
  const inWords = (fate: Fate, count: number) => `${t.maintenance.prune.fates[fate]}: ${number(count)}`;
  return (
    <figure class={styles.bars}>
      <svg
        viewBox={`0 0 ${all.length * step} ${top}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={shown.map(([fate, count]) => inWords(fate, count)).join(', ')}
        style={{ maxInlineSize: all.length * step * 4 }}
      >
        {fates.map((fate) => (
          <path
            key={fate}
            class={styles[fate]}
            d={all
              .map((each, at) =>
                each === fate ? `M${at * step + 1} ${top}v-${heights[fate]}h4v${heights[fate]}z` : '',
              )
              .join('')}
          />
        ))}
      </svg>
      <figcaption>
        <ul class={styles.fates} aria-hidden="true">
          {shown.map(([fate, count]) => (
            <li key={fate} class={styles.fate}>
              <svg width="8" height={top} aria-hidden="true">
                <path class={styles[fate]} d={`M2 ${top}v-${heights[fate]}h4v${heights[fate]}z`} />
              </svg>
              {inWords(fate, count)}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}
