import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { dayOf, moment, timeOf } from '../../../i18n/format.js';
import { colour, hatch } from './paint.js';
import styles from './plots.module.css';

export interface Line {
  label: string;
  look: 'area' | 'line' | 'dashed' | 'bars' | 'hatched';
  /** One for each x; null: not known. */
  values: (number | null)[];
}

interface ChartProps {
  /** Seconds since 1970, rising. */
  x: number[];
  lines: Line[];
  /** Upright lines, such as a prune. */
  marks?: { at: number; dashed: boolean }[];
  format: (value: number) => string;
  /** Distances between the lines of the grid, if not decimal. */
  steps?: number[];
  /** Text alternative. */
  label: string;
  height?: number;
}

/** Drawn on a canvas; a table has the same data for screen readers. */
export function Chart({ x, lines, marks = [], format, steps, label, height = 200 }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new uPlot(
      options({ lines, marks, format, steps, width: element.clientWidth, height, onPoint: setAt }),
      [x, ...lines.map(({ values }) => values)],
      element,
    );
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const themed = new MutationObserver(() => plot.redraw());
    themed.observe(document.documentElement, { attributes: true });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => plot.redraw();
    dark.addEventListener('change', redraw);
    return () => {
      dark.removeEventListener('change', redraw);
      themed.disconnect();
      resized.disconnect();
      plot.destroy();
    };
  }, [x, lines]);
  const time = at === null ? undefined : x[at];
  return (
    <>
      <div ref={place} role="img" aria-label={label} />
      <p class={styles.readout} aria-hidden="true">
        {at !== null &&
          time !== undefined &&
          [
            moment(time * 1000),
            ...lines.flatMap(({ label: name, values }) => {
              const value = values[at];
              return typeof value === 'number' ? [`${name} ${format(value)}`] : [];
            }),
          ].join(' · ')}
      </p>
    </>
  );
}

interface OptionsGiven extends Required<Pick<ChartProps, 'lines' | 'marks' | 'format' | 'height'>> {
  steps: number[] | undefined;
  width: number;
  onPoint: (index: number | null) => void;
}

function options({ lines, marks, format, steps, width, height, onPoint }: OptionsGiven): uPlot.Options {
  const axis = {
    stroke: () => colour('--muted'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: () => colour('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
    scales: {
      // By the data: uPlot gives a single point three years.
      x: { range: ({ data: [x] }) => padded(x[0] ?? 0, x.at(-1) ?? 0) },
      y: { range: (_, __, to) => [0, to > 0 ? to * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        space: 80,
        values: (_, splits, __, ___, step) =>
          splits.map((split) => (step < 86_400 ? timeOf(split * 1000) : dayOf(split * 1000))),
      },
      {
        ...axis,
        size: 64,
        space: 30,
        ...(steps && { incrs: steps }),
        values: (_, splits) => splits.map(format),
      },
    ],
    series: [{}, ...lines.map(seriesOf)],
    hooks: {
      draw: [(plot) => drawMarks(plot, marks)],
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)],
    },
  };
}

/** The first and the last bar are not cut in half. A single point gets a day. */
const padded = (from: number, to: number): [number, number] => {
  const pad = Math.max((to - from) * 0.03, from === to ? 43_200 : 0);
  return [from - pad, to + pad];
};

const bars = uPlot.paths.bars?.({ size: [0.7, 28, 3] });

function seriesOf({ look, values }: Line): uPlot.Series {
  const points = { show: values.filter((value) => value !== null).length < 2 };
  if (look === 'bars' || look === 'hatched')
    return {
      ...(bars && { paths: bars }),
      points: { show: false },
      width: 1,
      stroke: () => colour(look === 'bars' ? '--accent' : '--muted'),
      fill: () => (look === 'bars' ? colour('--accent') : hatch('--muted')),
    };
  return {
    spanGaps: true,
    points,
    width: 2,
    stroke: () => colour(look === 'area' ? '--accent' : '--text'),
    ...(look === 'dashed' && { dash: [6, 5] }),
    ...(look === 'area' && { fill: () => colour('--accent-ground') }),
  };
}

function drawMarks({ ctx, bbox, valToPos }: uPlot, marks: readonly { at: number; dashed: boolean }[]): void {
  ctx.save();
  ctx.strokeStyle = colour('--late');
  ctx.lineWidth = devicePixelRatio;
  for (const { at, dashed } of marks) {
    const left = valToPos(at, 'x', true);
    if (left < bbox.left || left > bbox.left + bbox.width) continue;
    ctx.setLineDash(dashed ? [2 * devicePixelRatio, 3 * devicePixelRatio] : []);
    ctx.beginPath();
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
