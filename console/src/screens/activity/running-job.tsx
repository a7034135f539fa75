import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '../../api/client.js';
import { bytes, duration, timeOf } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { useSaidProgress } from '../../ui/announce.js';
import { Section, Stack } from '../../ui/layout.js';
import { Meter, Progress } from '../../ui/progress.js';
import { Chart } from '../repositories/plots/chart.js';
import styles from './activity.module.css';
import { type Sample, withSample } from './samples.rules.js';

type Figures = Schemas['JobView']['progress_details'];

/** How far a running job is, what it reads, and how fast. */
export function RunningJob({ job }: { job: Schemas['JobView'] }) {
  useSaidProgress(job.progress, t.activity.soFar);
  const { estimated_time_remaining: left, current_file: file } = job.progress_details;
  return (
    <Section title={t.activity.progress} quiet card>
      <Stack>
        <Progress
          percent={job.progress}
          label={t.activity.progress}
          note={left > 0 ? t.common.left(duration(left)) : (job.progress_message ?? undefined)}
        />
        {file && (
          <p class={`${styles.path} ${styles.twoLines}`}>
            <bdi>{file}</bdi>
          </p>
        )}
        <NewData figures={job.progress_details} />
        <Speed figures={job.progress_details} />
        <p class="muted">{job.cancel_requested ? t.activity.cancelling : t.activity.mayClose}</p>
      </Stack>
    </Section>
  );
}

/** Of a backup: what it stores, compared with what the repository already has. Both compressed, as stored. */
export function NewData({
  figures: { compressed_size: all, deduplicated_size: fresh },
  isEnded = false,
}: {
  figures: Figures;
  isEnded?: boolean;
}) {
  if (all === 0 || fresh > all) return null;
  const words = t.activity.newData(bytes(fresh), bytes(all - fresh));
  return (
    <Stack tight>
      {!isEnded && <Meter percent={(100 * fresh) / all} label={words} />}
      <p class="small" aria-hidden={!isEnded}>
        {words}
      </p>
    </Stack>
  );
}

/** What the service reported while this page was open. */
function Speed({ figures }: { figures: Figures }) {
  const [samples, setSamples] = useState<Sample[]>([]);
  useEffect(() => {
    setSamples((known) => withSample(known, { at: Date.now() / 1000, speed: figures.speed * 2 ** 20 }));
  }, [figures]);
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || first === last) return null;
  const words = t.activity.speedSince(perSecond(last.speed), timeOf(first.at * 1000));
  return (
    <div>
      <p class="small">{words}</p>
      <Chart
        x={samples.map(({ at }) => at)}
        lines={[{ label: t.activity.speed, look: 'area', values: samples.map(({ speed }) => speed) }]}
        format={perSecond}
        label={words}
        height={120}
      />
    </div>
  );
}

const perSecond = (speed: number): string => `${bytes(speed)}/s`;
