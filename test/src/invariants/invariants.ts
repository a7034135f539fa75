import { archiveInvariants } from './archive-invariants.js';
import { slotInvariants } from './slot-invariants.js';
import { endings, type JobFact, type World } from './world.js';

/** What holds whenever nothing is left to be done, however that came about. */
export interface Invariant {
  name: string;
  /** What is not so, a sentence each. Null: it can't be judged, as nobody wrote down what it takes. */
  broken(world: World): string[] | null;
}

const says = ({ id, kind, status, error_message }: JobFact) =>
  `${kind} job ${id} (${status}${error_message ? `: ${error_message}` : ''})`;

const tellings: Record<string, RegExp> = {
  backup: /^backup_(success|warning|failure)$/,
  check: /^check_(success|failure)$/,
  restore: /^restore_(success|failure)$/,
};

export const invariants: Invariant[] = [
  {
    name: 'every job has ended',
    broken: ({ jobs }) =>
      jobs
        .filter((job) => !endings.includes(job.status) || job.owner !== null || job.completed_at === null)
        .map((job) => `${says(job)} has not ended`),
  },
  {
    name: 'no job that an answer named is lost',
    broken: ({ jobs, promised }) =>
      promised.filter((id) => !jobs.some((job) => job.id === id)).map((id) => `job ${id} is not there`),
  },
  ...slotInvariants,
  {
    name: 'the lanes are free',
    broken: ({ holders }) =>
      holders.map(
        ({ repository_id, holder }) => `the lane of repository ${repository_id} is held by ${holder}`,
      ),
  },
  {
    name: 'the end of a job is told once',
    broken: ({ jobs, events }) =>
      jobs.flatMap((job) => {
        const telling = tellings[job.kind];
        if (!telling) return [];
        const told = events.filter(({ job_id, kind }) => job_id === job.id && telling.test(kind)).length;
        return told === 1 ? [] : [`the end of ${says(job)} was told ${told} times`];
      }),
  },
  {
    name: 'the outbox is empty',
    broken: ({ deliveries }) =>
      deliveries
        .filter(({ status }) => status !== 'delivered')
        .map(({ message_id, status }) => `message ${message_id} is ${status}`),
  },
  {
    name: 'every message that counts as delivered came',
    broken: ({ deliveries, received }) => {
      if (!received) return null;
      return deliveries
        .filter(({ status, message_id }) => status === 'delivered' && !received.includes(message_id))
        .map(({ message_id }) => `message ${message_id} never came`);
    },
  },
  ...archiveInvariants,
  {
    name: 'no process is left',
    broken: ({ processes }) => processes.map((process) => `left behind: ${process}`),
  },
  {
    name: 'no working file is left',
    broken: ({ files }) => files.map((file) => `left behind: ${file}`),
  },
  {
    name: 'every service is well',
    broken: ({ health }) =>
      health
        .filter((each) => {
          // Notices are of the machine, not of the service.
          const { status, ready, degraded } = each as { status: string; ready: boolean; degraded: string[] };
          return status !== 'healthy' || !ready || degraded.length > 0;
        })
        .map((each) => `a service says ${JSON.stringify(each)}`),
  },
  { name: 'no answer was wrong', broken: ({ wrongAnswers }) => wrongAnswers && [...wrongAnswers] },
  {
    name: 'every error was caught',
    broken: ({ logs }) =>
      logs.flatMap((log) => log.match(/.*(unhandled promise rejection|uncaught error).*/g) ?? []),
  },
];

/**
 * All that does not hold, each with the name of its invariant. What can't be judged does not hold either, unless
 * `partly`: for those who know that not everything was written down.
 */
export const brokenIn = (world: World, { partly = false } = {}): string[] =>
  invariants.flatMap(({ name, broken }) => {
    const found = broken(world) ?? (partly ? [] : ['nobody wrote down what it takes']);
    return found.map((what) => `${name}: ${what}`);
  });
