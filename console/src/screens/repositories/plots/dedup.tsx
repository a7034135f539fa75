import { useMemo } from 'preact/hooks';
import { bytes, moment, number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Chart, type Line } from './chart.js';
import { Figure } from './figure.js';
import { dedupRatio, pointsOf } from './findings.rules.js';
import type { History } from './history.js';

const times = (ratio: number): string => `${number(Math.round(ratio * 10) / 10)} ×`;

/** How much smaller the archives are together than each for itself. */
export function Dedup({ history: { samples } }: { history: History }) {
  const { points, x, lines } = useMemo(() => {
    const known = pointsOf(samples, dedupRatio);
    const line: Line = { label: t.plots.ratio, look: 'line', values: known.map(({ value }) => value) };
    return { points: known, x: known.map(({ at }) => at), lines: [line] };
  }, [samples]);
  const last = samples.filter((sample) => dedupRatio(sample) !== null).at(-1);
  const finding = last
    ? t.plots.packed(
        times(dedupRatio(last) ?? 1),
        number(last.archive_count ?? 0),
        bytes(last.original_bytes ?? 0),
        bytes(last.size_bytes ?? 0),
      )
    : t.plots.tooFew;
  return (
    <Figure
      title={t.plots.dedup}
      finding={finding}
      legend={[['line', t.plots.ratio]]}
      heads={[t.plots.when, t.plots.ratio]}
      rows={points.map(({ at, value }) => [moment(at * 1000), times(value)])}
    >
      <Chart x={x} lines={lines} format={times} label={finding} height={150} />
    </Figure>
  );
}
