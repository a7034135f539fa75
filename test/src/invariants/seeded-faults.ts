import type { World } from './world.js';

const at = <T>(list: readonly T[], index: number): T => list[index] as T;
const written = ({ writers }: World) => writers ?? [];
const repository = ({ repositories }: World) => at(repositories, 0);

type Fault = [invariant: string, what: string, spoil: (world: World) => unknown];
/** Each makes the sound world wrong in one thing. */
export const faults: Fault[] = [
  ['every job has ended', 'a job that runs', ({ jobs }) => Object.assign(at(jobs, 6), { status: 'running' })],
  [
    'every job has ended',
    'a job that somebody has',
    ({ jobs }) => Object.assign(at(jobs, 6), { owner: 'x' }),
  ],
  [
    'every job has ended',
    'an end without a time',
    ({ jobs }) => Object.assign(at(jobs, 6), { completed_at: null }),
  ],
  ['no job that an answer named is lost', 'a promise', (world) => Object.assign(world, { promised: [1, 8] })],
  [
    'every planned instant has a slot',
    'an instant without one',
    (world) => Object.assign(world, { planned: [...(world.planned ?? []), { schedule: 1, at: 6_000 }] }),
  ],
  [
    'no instant has two slots',
    'a slot that is there twice',
    ({ slots, jobs }) => {
      slots.push({ ...at(slots, 0), id: 3 });
      Object.assign(at(jobs, 1), { slot_id: 3 });
    },
  ],
  [
    'no slot still runs',
    'a slot without an end',
    ({ slots }) => Object.assign(at(slots, 0), { outcome: 'running' }),
  ],
  [
    'every slot was planned, and run',
    'a slot that was skipped',
    ({ slots, jobs }) => {
      Object.assign(at(slots, 0), { outcome: 'skipped' });
      Object.assign(at(jobs, 0), { slot_id: null });
    },
  ],
  [
    'every slot was planned, and run',
    'a slot that nobody planned',
    ({ slots, jobs }) => {
      slots.push({ ...at(slots, 0), id: 3, planned_at: 7_000 });
      Object.assign(at(jobs, 1), { slot_id: 3 });
    },
  ],
  [
    'every slot that was run has one backup of each repository',
    'two backups of a slot',
    ({ jobs }) => Object.assign(at(jobs, 1), { slot_id: 1 }),
  ],
  [
    'every slot that was run has one backup of each repository',
    'a slot without one',
    ({ jobs }) => Object.assign(at(jobs, 0), { slot_id: null }),
  ],
  [
    'the lanes are free',
    'a stuck lane',
    ({ holders }) => holders.push({ repository_id: 1, holder: 'job:6' }),
  ],
  ['the end of a job is told once', 'an end told twice', ({ events }) => events.push(at(events, 1))],
  ['the end of a job is told once', 'an end never told', ({ events }) => events.pop()],
  [
    'the outbox is empty',
    'a message that waits',
    ({ deliveries }) => deliveries.push({ message_id: 'two', status: 'pending' }),
  ],
  [
    'every message that counts as delivered came',
    'a message that nobody got',
    ({ deliveries }) => deliveries.push({ message_id: 'two', status: 'delivered' }),
  ],
  [
    'every archive is of a completed backup',
    'the archive of a failed backup',
    (world) => {
      repository(world).archives.push({ name: 'archive-6', job: 6 });
      repository(world).listed.push('archive-6');
    },
  ],
  [
    'every completed backup has one archive, unless it was removed',
    'a backup whose archive is gone',
    (world) => Object.assign(repository(world), { archives: [], listed: [] }),
  ],
  [
    'every completed backup has one archive, unless it was removed',
    'a backup with two archives',
    (world) => {
      repository(world).archives.push({ name: 'archive-1b', job: 1 });
      repository(world).listed.push('archive-1b');
    },
  ],
  [
    'what was removed is gone',
    'an archive that was removed and is there',
    (world) => {
      repository(world).archives.push({ name: 'archive-4', job: 4 });
      repository(world).listed.push('archive-4');
    },
  ],
  [
    'the service lists what the tool lists',
    'an archive that the service does not list',
    (world) => Object.assign(repository(world), { listed: [] }),
  ],
  [
    'no backup ran twice',
    'a failed backup that began twice',
    (world) => Object.assign(world, { writers: [...written(world), at(written(world), 3)] }),
  ],
  [
    'no backup ran twice',
    'a completed backup that never began',
    (world) => Object.assign(world, { writers: written(world).slice(1) }),
  ],
  [
    'no repository had two writers',
    'a writer beside another one',
    (world) => Object.assign(at(written(world), 0), { found: 'beside' }),
  ],
  ['no process is left', 'a process', ({ processes }) => processes.push('4711 borg create')],
  ['no working file is left', 'a lock', ({ files }) => files.push('/srv/one/lock.exclusive')],
  [
    'every service is well',
    'a service that is not ready',
    ({ health }) => Object.assign(at(health, 0) as object, { ready: false }),
  ],
  [
    'every service is well',
    'a service with something to say',
    ({ health }) => Object.assign(at(health, 0) as object, { degraded: ['The jobs plugin is not well.'] }),
  ],
  [
    'no answer was wrong',
    'an answer of 500',
    (world) => Object.assign(world, { wrongAnswers: ['GET / gave 500'] }),
  ],
  [
    'every error was caught',
    'a promise that was rejected',
    ({ logs }) => logs.push('{"msg":"unhandled promise rejection"}'),
  ],
  [
    'every error was caught',
    'an error that ended the service',
    ({ logs }) => logs.push('{"msg":"uncaught error: Holdfast stops"}'),
  ],
];
