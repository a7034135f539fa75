import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { dayOf, moment, timeOf } from '../../../i18n/format.js';
import { useWidth } from '../../../ui/use-width.js';
import { nearest, timeTicks, valueTicks } from './axis.rules.js';
import styles from './plots.module.css';

export interface Line {
  label: string;
  look: 'area' | 'dashed' | 'bars' | 'outlined';
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

const [left, bottom] = [68, 24];

interface Frame {
  width: number;
  height: number;
  /** In pixels, of seconds and of a value. */
  xOf: (at: number) => number;
  yOf: (value: number) => number;
  from: number;
  to: number;
  top: number;
}

/** As a picture; a table has the same data for screen readers. */
export function Chart({ x, lines, marks = [], format, steps, label, height = 200 }: ChartProps) {
  const [place, width] = useWidth();
  const [at, setAt] = useState(-1);
  const frame = frameOf(x, lines, width, height);
  const point = ({ currentTarget, clientX }: JSX.TargetedPointerEvent<HTMLDivElement>) => {
    const { left: start } = currentTarget.getBoundingClientRect();
    setAt(nearest(x.map(frame.xOf), clientX - start));
  };
  return (
    <>
      <div
        ref={place}
        class={styles.chart}
        style={{ blockSize: `${height}px` }}
        role="img"
        aria-label={label}
        onPointerMove={point}
        onPointerLeave={() => setAt(-1)}
      >
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true">
            <Axes frame={frame} format={format} steps={steps} />
            {lines.map((line) => (
              <Series key={line.label} line={line} x={x} frame={frame} />
            ))}
            {[...marks, ...(x[at] === undefined ? [] : [{ at: x[at], dashed: null }])]
              .filter((mark) => mark.at >= frame.from && mark.at <= frame.to)
              .map((mark, n) => (
                <path key={n} class={markOf(mark)} d={`M${frame.xOf(mark.at)} 0V${height - bottom}`} />
              ))}
          </svg>
        )}
      </div>
      <p class={styles.readout} aria-hidden="true">
        {x[at] !== undefined && valuesAt(at, x[at], lines, format)}
      </p>
    </>
  );
}

/** The first and the last bar are not cut in half. A single point gets a day. */
function frameOf(x: readonly number[], lines: readonly Line[], width: number, height: number): Frame {
  const [first, last] = [x[0] ?? 0, x.at(-1) ?? 0];
  const pad = Math.max((last - first) * 0.03, first === last ? 43_200 : 0);
  const [from, to] = [first - pad, last + pad];
  const most = lines.reduce(
    (max, { values }) => values.reduce<number>((a, b) => Math.max(a, b ?? 0), max),
    0,
  );
  const top = most > 0 ? most * 1.08 : 1;
  const xOf = (at: number) => left + ((at - from) / (to - from)) * (width - left);
  const yOf = (value: number) => (1 - value / top) * (height - bottom);
  return { width, height, from, to, top, xOf, yOf };
}

const markOf = ({ dashed }: { dashed: boolean | null }) =>
  dashed === null ? styles.cursor : dashed ? styles.dottedLine : styles.markLine;

const valuesAt = (index: number, time: number, lines: readonly Line[], format: (value: number) => string) =>
  [
    moment(time * 1000),
    ...lines.flatMap(({ label, values }) => {
      const value = values[index];
      return typeof value === 'number' ? [`${label} ${format(value)}`] : [];
    }),
  ].join(' · ');

function Axes({ frame, format, steps }: { frame: Frame } & Pick<ChartProps, 'format' | 'steps'>) {
  const { width, height, from, to, top, xOf, yOf } = frame;
  const days = timeTicks(from, to, Math.max(1, Math.floor((width - left) / 90)));
  const inWords = to - from < 2 * 86_400 ? timeOf : dayOf;
  return (
    <>
      {valueTicks(top, Math.max(1, Math.floor((height - bottom) / 36)), steps).map((value) => (
        <>
          <path class={styles.grid} d={`M${left} ${yOf(value)}H${width}`} />
          <text x={left - 8} y={yOf(value)} dy="0.35em" text-anchor="end">
            {value === 0 ? 0 : format(value)}
          </text>
        </>
      ))}
      {days
        .filter((at) => xOf(at) < width - 24)
        .map((at) => (
          <text key={at} x={xOf(at)} y={height - 6} text-anchor="middle">
            {inWords(at * 1000)}
          </text>
        ))}
    </>
  );
}

function Series({ line: { look, values }, x, frame }: { line: Line; x: readonly number[]; frame: Frame }) {
  const { xOf, yOf, width, height } = frame;
  const known = x.flatMap((at, n) =>
    typeof values[n] === 'number' ? [[xOf(at), yOf(values[n])] as const] : [],
  );
  const ground = height - bottom;
  if (look === 'bars' || look === 'outlined') {
    const wide = Math.min(28, Math.max(3, (0.7 * (width - left)) / Math.max(1, x.length)));
    const bars = known.map(([at, y]) => `M${at - wide / 2} ${ground}V${y}h${wide}V${ground}z`);
    return <path class={look === 'bars' ? styles.barsOf : styles.outlinedOf} d={bars.join('')} />;
  }
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return null;
  if (known.length === 1) return <circle class={styles.dot} cx={first[0]} cy={first[1]} r="4" />;
  const path = `M${known.map((each) => each.join(' ')).join('L')}`;
  return (
    <>
      {look === 'area' && <path class={styles.under} d={`${path}V${ground}H${first[0]}z`} />}
      <path class={styles[`${look}Of`]} d={path} />
    </>
  );
}
