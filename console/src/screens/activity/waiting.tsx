import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Schemas } from '../../api/client.js';
import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Section } from '../../ui/layout.js';
import { List, ListItem } from '../../ui/list.js';
import { Reason } from '../../ui/waits-for.js';
import { kindOf } from './job-state.js';

type Job = Schemas['JobView'];

const fewReasons = 3;
const fewJobs = 3;

/** Grouped by what they wait for, in the order in which they were requested. */
export function Waiting({ jobs, title }: { jobs: readonly Job[]; title: string }) {
  const [isAll, setAll] = useState(false);
  const groups = groupsOf(jobs);
  const shown = isAll ? groups : groups.slice(0, fewReasons);
  const isCut = groups.length > fewReasons || shown.some(({ length }) => length > fewJobs);
  return (
    <Section title={title}>
      <List label={title}>
        {shown.map((group) => (
          <ListItem
            key={group[0]?.id}
            title={<Title jobs={group} />}
            note={
              <Names
                jobs={isAll ? group : group.slice(0, fewJobs)}
                hidden={isAll ? 0 : group.length - fewJobs}
              />
            }
          />
        ))}
      </List>
      {isCut && !isAll && (
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
  for (const job of [...jobs].reverse()) {
    const reason = job.waiting_for ?? '';
    groups.set(reason, [...(groups.get(reason) ?? []), job]);
  }
  return [...groups.values()].sort((one, other) => other.length - one.length);
}

function Title({ jobs }: { jobs: readonly Job[] }) {
  const [first, ...more] = jobs;
  return (
    <>
      {more.length > 0 && `${number(jobs.length)} × `}
      {first?.waiting_for ? <Reason job={first} /> : t.common.jobStates.pending}
    </>
  );
}

const Names = ({ jobs, hidden }: { jobs: readonly Job[]; hidden: number }) => (
  <p>
    {jobs.map((job, n) => (
      <>
        {n > 0 && ' · '}
        <Link key={job.id} href={`/activity/${job.id}`}>
          {t.activity.of(kindOf(job), job.repository_name)}
        </Link>
      </>
    ))}
    {hidden > 0 && ` · ${t.activity.andMore(number(hidden))}`}
  </p>
);
