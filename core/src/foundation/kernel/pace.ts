/** Waits of background work, in milliseconds: as usual, and fast for tests. No guarantee may depend on it. */
const times = {
  jobs: {
    lease: [20_000, 3_000], // how long a taken job belongs to its instance without a renewal
    renewEvery: [5_000, 500],
    pollEvery: [1_000, 200], // how often a run checks whether its job was cancelled at another instance
    takeOverAfter: [5_000, 1_000], // from the end of a lease to the take-over, because clocks differ
    confirmWithin: [2_000, 500], // how long a run may try to confirm a lease that ended unconfirmed
    progressEvery: [1_000, 200],
    logEvery: [1_000, 200],
    reconcileEvery: [2_000, 200],
    reconcileAtMost: [10_000, 1_000],
    cancelWait: [15_000, 15_000], // how long `cancel` waits for the end of a running job
    waitPoll: [500, 100], // how often to check while waiting for a lane or the end of a job
    stalledAfter: [120_000, 120_000], // from then on, an idle tool does not count among those that run
    abortWait: [15_000, 15_000], // how long `stop` waits for the end of aborted jobs
    timerWait: [1_000, 1_000], // how long `stop` waits for running timer handlers
    ledgerWriteEvery: [1_000, 200],
    ledgerFollowEvery: [30_000, 1_000], // how often to look for differences between the rows and the ledger
  },
  calls: { lease: [10_000, 3_000], renewEvery: [3_000, 500] }, // of a process that died, they seem to run so long
  plans: {
    scanEvery: [1_000, 200], // how often to look for due plans without a timer
    scanWithLedger: [5_000, 500], // the same if timers are in a store that outlives this process
    tendEvery: [30_000, 1_000], // how often to set timers for the near future and to tend slots
    waitEvery: [15_000, 200], // how often to look at runs that wait
    steady: [2_000, 500], // a disk that was just connected must still be connected after this time
  },
  hooks: { lookEvery: [2_000, 200] },
  outbox: {
    scanEvery: [1_000, 200], // how often the outbox is scanned without an event
    lease: [10_000, 3_000], // how long a taken message belongs to its instance without renewal
    renewEvery: [3_000, 500],
    takeOverAfter: [3_000, 1_000], // as with jobs
    firstPause: [5_000, 500], // before the second try; it doubles with each further one
  },
  incidents: {
    lookEvery: [5_000, 200],
    firstAfter: [10_000, 1_000], // catch-up backups are queued first
    hold: [30_000, 5_000], // after this, another instance takes over from a dead one
    atLeastEvery: [60_000, 2_000], // not everything that changes a judgement leaves an event
  },
  heartbeat: { every: [300_000, 2_000], lookEvery: [10_000, 200] },
  report: { lookEvery: [20_000, 200] },
  states: {
    lookEvery: [5_000, 200],
    readEvery: [60_000, 2_000], // time alone makes a backup late, without an event
  },
  index: {
    lookEvery: [5_000, 200],
    rest: [600_000, 2_000], // a repository in which it failed is left alone for this long
  },
  cacheSettings: { lookEvery: [3_000, 200] },
} satisfies Times;

type Times = Record<string, Record<string, [usual: number, fast: number]>>;
type Column<T> = { readonly [Group in keyof T]: { readonly [Name in keyof T[Group]]: number } };
export type Pace = Column<typeof times>;

const column = (index: 0 | 1): Pace => {
  const pick = (group: Times[string]) =>
    Object.fromEntries(Object.entries(group).map(([name, both]) => [name, both[index]]));
  return Object.fromEntries(Object.entries(times).map(([name, group]) => [name, pick(group)])) as Pace;
};

export const paces = { usual: column(0), fast: column(1) };

/** Default: the usual one. */
export type Paced = { pace?: Pace | undefined };

export const callLease = ({ calls } = paces.usual) => ({ leaseMs: calls.lease, renewMs: calls.renewEvery });
