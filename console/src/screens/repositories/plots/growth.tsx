import { useMemo } from 'preact/hooks';
import { bytes, dayOf, moment } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Chart, type Line } from './chart.js';
import { Figure } from './figure.js';
import { outlier, type Point, pointsOf, pointsOfBackups } from './findings.rules.js';
import type { History } from './history.js';
import { grewInWords } from './words.js';

/** More marks would hide the lines. The table has all. */
const mostMarks = 30;

/** The size of the repository, of its newest archive, and the data added by each backup. */
export function Growth({ history }: { history: History }) {
  const { samples, archives } = history;
  const drawn = useMemo(() => {
    const sizes = pointsOf(samples, ({ size_bytes }) => size_bytes);
    const originals = pointsOfBackups(samples, archives, 'original_bytes');
    const added = pointsOfBackups(samples, archives, 'added_bytes');
    const x = [...new Set([...sizes, ...originals, ...added].map(({ at }) => at))].sort((a, b) => a - b);
    const column = (points: readonly Point[]) => {
      const values = new Map(points.map(({ at, value }) => [at, value]));
      return x.map((at) => values.get(at) ?? null);
    };
    const lines: Line[] = [
      { label: t.plots.size, look: 'area', values: column(sizes) },
      { label: t.plots.original, look: 'dashed', values: column(originals) },
    ];
    const bars: Line[] = [{ label: t.plots.added, look: 'bars', values: column(added) }];
    return { sizes, added, x, lines, bars };
  }, [history]);
  const { sizes, added, x, lines, bars } = drawn;
  const finding = inWords(sizes, added);
  const others = samples.filter(({ kind }) => kind !== 'backup');
  const marks = (others.length > mostMarks ? [] : others).map(({ at, kind }) => ({
    at: Date.parse(at) / 1000,
    dashed: kind === 'compact',
  }));
  const kinds = new Map(samples.map(({ at, kind }) => [Date.parse(at) / 1000, t.common.jobKinds[kind]]));
  const cell = (line: Line | undefined, index: number) => {
    const value = line?.values[index];
    return typeof value === 'number' ? bytes(value) : '–';
  };
  return (
    <Figure
      title={t.plots.growth}
      finding={finding}
      legend={[
        ['area', t.plots.size],
        ['dashed', t.plots.original],
        ['bars', t.plots.added],
        ...(marks.length > 0
          ? ([
              ['mark', t.common.jobKinds.prune],
              ['dottedMark', t.common.jobKinds.compact],
            ] as const)
          : []),
      ]}
      heads={[t.plots.when, t.plots.after, t.plots.size, t.plots.original, t.plots.added]}
      rows={x.map((at, index) => [
        moment(at * 1000),
        kinds.get(at) ?? '–',
        cell(lines[0], index),
        cell(lines[1], index),
        cell(bars[0], index),
      ])}
    >
      <Chart x={x} lines={lines} marks={marks} format={bytes} label={finding} />
      <Chart x={x} lines={bars} format={bytes} label={t.plots.added} height={110} />
    </Figure>
  );
}

function inWords(sizes: readonly Point[], added: readonly Point[]): string {
  const grew = grewInWords(sizes);
  const unusual = outlier(added);
  if (!unusual) return grew;
  return `${grew} ${t.plots.unusual(dayOf(unusual.at * 1000), bytes(unusual.value), unusual.times)}`;
}
