import { useMemo } from 'preact/hooks';
import { bytes, dayOf, inDays, moment } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Chart, type Line } from './chart.js';
import { Figure } from './figure.js';
import { daysUntilFull, growthPerDay, pointsOf } from './findings.rules.js';
import type { History } from './history.js';

/** Free space at the location, and how long it lasts at the current rate. */
export function Room({ history: { samples } }: { history: History }) {
  const { free, x, lines, finding } = useMemo(() => {
    const known = pointsOf(samples, ({ free_bytes }) => free_bytes);
    const slope = growthPerDay(known);
    const perDay = slope === null ? null : -slope;
    return { free: known, ...drawingOf(known, perDay), finding: inWords(known.at(-1)?.value, perDay) };
  }, [samples]);
  return (
    <Figure
      title={t.plots.room}
      finding={finding}
      legend={[
        ['area', t.plots.free],
        ...(lines.length > 1 ? ([['dashed', t.plots.forecast]] as const) : []),
      ]}
      heads={[t.plots.when, t.plots.free]}
      rows={free.map(({ at, value }) => [moment(at * 1000), bytes(value)])}
    >
      <Chart x={x} lines={lines} format={bytes} label={finding} />
    </Figure>
  );
}

/** The known values, and a forecast of the same length. */
function drawingOf(free: readonly { at: number; value: number }[], perDay: number | null) {
  const [first, last] = [free[0], free.at(-1)];
  const x = free.map(({ at }) => at);
  const values: (number | null)[] = free.map(({ value }) => value);
  const known: Line = { label: t.plots.free, look: 'area', values };
  if (!first || !last || perDay === null || perDay <= 0) return { x, lines: [known] };
  const days = Math.min((last.at - first.at) / 86_400, last.value / perDay);
  const forecast: Line = {
    label: t.plots.forecast,
    look: 'dashed',
    values: [...values.slice(1).map(() => null), last.value, last.value - perDay * days],
  };
  return {
    x: [...x, last.at + days * 86_400],
    lines: [{ ...known, values: [...values, null] }, forecast],
  };
}

function inWords(free: number | undefined, perDay: number | null): string {
  if (free === undefined) return t.plots.roomUnknown;
  const now = t.plots.freeNow(bytes(free));
  const days = daysUntilFull(free, perDay);
  if (perDay === null) return now;
  if (days === null) return `${now} ${t.plots.neverFull}`;
  return `${now} ${t.plots.fullIn(inDays(days), dayOf(Date.now() + days * 86_400_000))}`;
}
