import { useMemo } from 'preact/hooks';
import { bytes, moment } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Chart } from './chart.js';
import { Figure } from './figure.js';
import { lossPerDay, pointsOf } from './findings.rules.js';
import type { History } from './history.js';
import { fullInWords } from './words.js';

/** Free space at the location, and how long it lasts at the current rate. */
export function Room({ history: { samples } }: { history: History }) {
  const known = useMemo(() => pointsOf(samples, ({ free_bytes }) => free_bytes), [samples]);
  const free = known.at(-1)?.value;
  if (free === undefined) return null;
  const finding = `${t.plots.freeNow(bytes(free))} ${fullInWords(free, lossPerDay(known))}`.trim();
  const values = known.map(({ value }) => value);
  return (
    <Figure
      title={t.plots.room}
      finding={finding}
      legend={[['area', t.plots.free]]}
      heads={[t.plots.when, t.plots.free]}
      rows={known.map(({ at, value }) => [moment(at * 1000), bytes(value)])}
    >
      <Chart
        x={known.map(({ at }) => at)}
        lines={[{ label: t.plots.free, look: 'area', values }]}
        format={bytes}
        label={finding}
      />
    </Figure>
  );
}
