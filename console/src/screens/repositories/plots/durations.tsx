import { useMemo } from 'preact/hooks';
import type { Schemas } from '../../../api/client.js';
import { dayOf, duration, moment } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Chart, type Line } from './chart.js';
import { Figure } from './figure.js';
import { largest, median, mostJobs } from './findings.rules.js';

type Job = Schemas['JobView'];

/** How long each backup waited and ran. */
export function Durations({ jobs, from }: { jobs: readonly Job[]; from: string }) {
  const { runs, x, lines, finding } = useMemo(() => {
    const ended = runsOf(jobs, from);
    const usual = median(ended.map(({ seconds }) => seconds));
    // Draws the bars of the run in front of those of the total time.
    const stacked: Line[] = [
      { label: t.plots.waitedAndRan, look: 'outlined', values: ended.map(({ all }) => all) },
      { label: t.plots.ran, look: 'bars', values: ended.map(({ seconds }) => seconds) },
      { label: t.plots.median, look: 'dashed', values: ended.map(() => usual ?? null) },
    ];
    return { runs: ended, x: ended.map(({ at }) => at), lines: stacked, finding: inWords(ended, usual) };
  }, [jobs, from]);
  const isCut = jobs.length >= mostJobs && jobs.every(({ started_at }) => (started_at ?? from) >= from);
  return (
    <Figure
      title={t.plots.durations}
      finding={isCut ? `${finding} ${t.plots.newestOnly(mostJobs)}` : finding}
      legend={[
        ['bars', t.plots.ran],
        ['outlined', t.plots.waited],
        ['dashed', t.plots.median],
      ]}
      heads={[t.plots.when, t.plots.ran, t.plots.waited]}
      rows={runs.map(({ at, seconds, all }) => [
        moment(at * 1000),
        duration(seconds),
        duration(all - seconds),
      ])}
    >
      <Chart x={x} lines={lines} format={duration} steps={steps} label={finding} />
    </Figure>
  );
}

const steps = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400];

interface Run {
  at: number;
  /** Ran. */
  seconds: number;
  /** Waited and ran. */
  all: number;
}

/** Backups that made an archive, the oldest first. */
const runsOf = (jobs: readonly Job[], from: string): Run[] =>
  jobs
    .filter(({ status }) => status === 'completed' || status === 'completed_with_warnings')
    .flatMap(({ requested_at, started_at, seconds }) =>
      started_at && seconds !== null && started_at >= from
        ? [
            {
              at: Date.parse(started_at) / 1000,
              seconds,
              all: seconds + Math.max(0, (Date.parse(started_at) - Date.parse(requested_at)) / 1000),
            },
          ]
        : [],
    )
    .sort((one, other) => one.at - other.at);

function inWords(runs: readonly Run[], usual: number | undefined): string {
  const longest = largest(runs.map(({ at, seconds }) => ({ at, value: seconds })));
  if (usual === undefined || !longest) return t.plots.noRuns;
  const takes = t.plots.takes(duration(usual), runs.length);
  return longest.value > usual * 2
    ? `${takes} ${t.plots.longest(duration(longest.value), dayOf(longest.at * 1000))}`
    : takes;
}
