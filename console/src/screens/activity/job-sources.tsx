import { useEffect, useRef } from 'preact/hooks';
import { outdate, type Schemas } from '../../api/api.js';
import { duration, number, timeOf } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Section } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { failureOf } from '../../ui/notice.js';
import { useSourceKinds } from '../../ui/source-names.js';
import { State, type StateName } from '../../ui/state.js';
import { type JobSource, phaseOf, secondsBetween } from './sources.rules.js';

type Job = Schemas['JobView'];

const marks: Record<ReturnType<typeof phaseOf>, StateName> = {
  failed: 'late',
  cancelled: 'off',
  preparing: 'running',
  inUse: 'running',
  held: 'late',
  released: 'protected',
};

/** What a backup did with databases and containers, and for how long. */
export function JobSources({ job }: { job: Job }) {
  const { sources = [] } = job.about;
  const isEnded = job.completed_at !== null;
  useSteps(job);
  const { titleOf } = useSourceKinds();
  if (sources.length === 0) return null;
  return (
    <Section title={t.sources.databases.title}>
      <List label={t.sources.databases.title} compact>
        {sources.map((source) => {
          const phase = phaseOf(source, isEnded);
          return (
            <ListItem
              key={`${source.kind} ${source.name}`}
              title={<bdi>{source.name}</bdi>}
              note={
                <>
                  {titleOf(source.kind)}
                  <br />
                  {failureOf(source) ?? timesOf(source)}
                </>
              }
            >
              <State state={marks[phase]} word={t.activity.sources[phase]} />
            </ListItem>
          );
        })}
      </List>
    </Section>
  );
}

function timesOf({ begun_at, prepared_at, released_at }: JobSource): string | null {
  if (prepared_at === null) return null;
  const prepared = inSeconds(secondsBetween(begun_at, prepared_at));
  return released_at === null
    ? t.activity.sources.times(prepared)
    : t.activity.sources.times(
        prepared,
        inSeconds(secondsBetween(prepared_at, released_at)),
        timeOf(released_at),
      );
}

const inSeconds = (seconds: number): string =>
  seconds < 10 ? `${number(Math.max(0.1, Math.round(seconds * 10) / 10))} s` : duration(seconds);

/** Progress tells that a source may be at another step: then the job is read again. */
function useSteps({ kind, status, about, progress_message, progress_details }: Job) {
  const isHeld = about.sources?.some(({ released_at }) => released_at === null);
  // All are prepared when the first data arrives.
  const { original_size: size } = progress_details;
  const step = `${progress_message} ${isHeld ? size : size > 0}`;
  const read = useRef(step);
  useEffect(() => {
    if (read.current === step) return;
    read.current = step;
    if (kind === 'backup' && status === 'running') outdate('/api/jobs/{job_id}');
  }, [kind, status, step]);
}
