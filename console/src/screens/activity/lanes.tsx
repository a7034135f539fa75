import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Schemas } from '../../api/client.js';
import { service } from '../../api/service.js';
import { connection } from '../../hub/link.js';
import { dayOf, duration, moment, number, sinceWhen, timeOf } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { useStore } from '../../store.js';
import { Button } from '../../ui/button.js';
import { useMinute } from '../../ui/time.js';
import { useWidth } from '../../ui/use-width.js';
import { timeTicks } from '../repositories/plots/axis.rules.js';
import { kindOf } from './job-state.js';
import styles from './lanes.module.css';
import { endOf, type Picture, pictureOf, startOf } from './lanes.rules.js';

type Job = Schemas['JobView'];

/** Each state has its own height or line, so the picture doesn't rely on colour. */
const heights: Record<Job['status'], number> = {
  completed: 12,
  completed_with_warnings: 7,
  failed: 20,
  cancelled: 3,
  running: 12,
  pending: 11,
};
const states = Object.keys(heights) as Job['status'][];
const few = 8;

/** What ran when, as far as jobs were read: the list has the same. */
export function Lanes({ jobs, isAll }: { jobs: readonly Job[]; isAll: boolean }) {
  useMinute();
  const { state, since } = useStore(connection);
  const found = useStore(service);
  const [isWhole, setWhole] = useState(false);
  // Nobody knows what happened after the connection was lost.
  const lostAt = found.state !== 'ready' ? found.since : state === 'lost' ? since : null;
  const now = lostAt ?? Date.now();
  const picture = pictureOf(jobs, now, isAll);
  if (!picture) return null;
  const { from, lanes, count } = picture;
  const until = lostAt ? sinceWhen(lostAt) : t.activity.untilNow;
  const finding = t.activity.period(moment(from), until, number(count), number(lanes.length));
  return (
    <figure class={styles.figure}>
      <figcaption>
        <p class="muted">{finding}</p>
        <ul class={styles.legend} aria-hidden="true">
          {states
            .filter((each) => lanes.some((lane) => lane.jobs.some(({ status }) => status === each)))
            .map((each) => (
              <li key={each}>
                <svg width="20" height="22" aria-hidden="true">
                  <Bar status={each} x={2} width={16} />
                </svg>
                {t.common.jobStates[each]}
              </li>
            ))}
        </ul>
      </figcaption>
      <Drawing
        picture={{ ...picture, lanes: isWhole ? lanes : lanes.slice(0, few) }}
        now={now}
        until={until}
        label={finding}
      />
      {lanes.length > few && !isWhole && (
        <Button onClick={() => setWhole(true)}>{t.activity.allLanes(number(lanes.length))}</Button>
      )}
    </figure>
  );
}

type DrawingProps = Record<'until' | 'label', string> & { picture: Picture; now: number };

function Drawing({ picture: { from, lanes }, now, until, label }: DrawingProps) {
  const [place, width] = useWidth();
  const [, navigate] = useLocation();
  // The last bar does not touch the edge.
  const xOf = (at: number) =>
    Math.round(((Math.max(at, from) - from) / (now - from)) * (width - 14) * 10) / 10;
  const ticks = timeTicks(from / 1000, now / 1000, Math.max(1, Math.floor(width / 110))).map(
    (at) => at * 1000,
  );
  const inWords = now - from < 2 * 86_400_000 ? timeOf : dayOf;
  const open = ({ target }: JSX.TargetedMouseEvent<HTMLDivElement>) => {
    const job = (target as Element).getAttribute('data-job');
    if (job) navigate(`/activity/${job}`);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: each job is a link in the lists of the page.
    <div class={styles.lanes} role="img" aria-label={label} onClick={open}>
      {lanes.map(({ key, name, jobs }) => (
        <div key={key}>
          <bdi>{name}</bdi>
          <svg height="22" aria-hidden="true">
            {ticks.map((at) => (
              <path key={at} class={styles.grid} d={`M${xOf(at)} 0V22`} />
            ))}
            {jobs.map((job) => {
              const [start, end] = [xOf(startOf(job)), xOf(endOf(job, now))];
              return (
                <Bar key={job.id} status={job.status} x={start} width={Math.max(2, end - start)} id={job.id}>
                  {inShort(job)}
                </Bar>
              );
            })}
            <path class={styles.now} d={`M${xOf(now) + 2} 0V22`} />
          </svg>
        </div>
      ))}
      <div>
        <span />
        <div ref={place}>
          <svg height="22" aria-hidden="true">
            {ticks
              .filter((at) => xOf(at) > 20 && xOf(at) < width - 30 - 7 * until.length)
              .map((at) => (
                <text key={at} x={xOf(at)} y="14" text-anchor="middle">
                  {inWords(at)}
                </text>
              ))}
            <text class={styles.until} x={width} y="14" text-anchor="end">
              {until}
            </text>
          </svg>
        </div>
      </div>
    </div>
  );
}

const inShort = (job: Job): string =>
  [
    t.activity.of(kindOf(job), job.repository_name),
    t.common.jobStates[job.status],
    sinceWhen(startOf(job)),
    ...(job.seconds === null ? [] : [duration(job.seconds)]),
  ].join(' · ');

interface BarProps extends Pick<Job, 'status'> {
  x: number;
  width: number;
  id?: number;
  children?: string;
}

const Bar = ({ status, x, width, id, children }: BarProps) => (
  <rect
    class={status === 'completed_with_warnings' ? styles.failed : styles[status]}
    x={x}
    y={11 - heights[status] / 2}
    width={width}
    height={heights[status]}
    rx="1"
    data-job={id}
  >
    {children && <title>{children}</title>}
  </rect>
);
