import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/client.js';
import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Section } from '../../ui/layout.js';
import { Reason } from '../../ui/waits-for.js';
import { JobList } from './job-list.js';

type Job = Schemas['JobView'];

const fewReasons = 3;
const fewJobs = 3;

/** Grouped by what they wait for, in the order in which they were requested. */
export function Waiting({ jobs, title }: { jobs: readonly Job[]; title: string }) {
  const [isAll, setAll] = useState(false);
  const groups = groupsOf(jobs);
  const shown = isAll
    ? groups.flat()
    : groups.slice(0, fewReasons).flatMap((group) => group.slice(0, fewJobs));
  const count = (reason: Job['waiting_for']) => jobs.filter((job) => job.waiting_for === reason).length;
  return (
    <Section title={title}>
      <JobList
        label={title}
        rows={shown}
        isPart={shown.length < jobs.length}
        groupOf={(job) => [
          job.waiting_for ?? '',
          <>
            {number(count(job.waiting_for))} ×{' '}
            {job.waiting_for ? <Reason job={job} /> : t.common.jobStates.pending}
          </>,
        ]}
        below={() => null}
      />
      {shown.length < jobs.length && (
        <div>
          <Button onClick={() => setAll(true)}>{t.activity.allWaiting(number(jobs.length))}</Button>
        </div>
      )}
    </Section>
  );
}

/** The largest first. */
function groupsOf(jobs: readonly Job[]): Job[][] {
  const groups = new Map<string, Job[]>();
  for (const job of jobs.toReversed()) {
    const reason = job.waiting_for ?? '';
    groups.set(reason, [...(groups.get(reason) ?? []), job]);
  }
  return [...groups.values()].sort((one, other) => other.length - one.length);
}
