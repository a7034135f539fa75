import { useQuery } from '@tanstack/preact-query';
import { bytes, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Bars } from '../../ui/strip.js';
import { Time } from '../../ui/time.js';
import { daily, dedupRatio, lossPerDay, pointsOf } from './plots/findings.rules.js';
import { historyQuery } from './plots/history.js';
import { fullInWords, grewInWords } from './plots/words.js';
import styles from './repositories.module.css';
import type { Repository } from './repository-page.js';

/** As for Home, which says when the first disk is full. */
const days = 30;

/** How much there is, how new it is, and how long there is room. */
export function Figures({
  newest,
  repository: { id, archive_count, total_size_bytes, free_bytes },
}: {
  newest: string | null;
  repository: Repository;
}) {
  const samples = useQuery(historyQuery(id, days)).data?.samples ?? [];
  const sizes = pointsOf(samples, ({ size_bytes }) => size_bytes);
  const grew = sizes.length > 1 && grewInWords(sizes);
  const full =
    free_bytes !== null && fullInWords(free_bytes, lossPerDay(pointsOf(samples, (each) => each.free_bytes)));
  const ratio = pointsOf(samples, dedupRatio).at(-1)?.value;
  const facts = [
    [t.repository.columns.newest, newest ? <Time key="time" at={newest} capital /> : t.common.none],
    [
      t.repository.tabs.archives,
      number(archive_count ?? 0),
      ratio && t.plots.packed(number(Math.round(ratio * 10) / 10)),
    ],
    [
      t.repository.columns.size,
      total_size_bytes === null ? t.common.unknown : bytes(total_size_bytes),
      grew && [<Bars key="bars" values={daily(sizes, days)} label={grew} />, grew],
    ],
    [t.plots.free, free_bytes === null ? t.common.unknown : bytes(free_bytes), full],
  ] as const;
  return (
    <dl class={styles.figures}>
      {facts.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {note && <dd>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
