import { expect, test } from 'vitest';
import { paces } from '../../src/foundation/kernel/pace.js';

test('keeps the usual pace', () => {
  expect(paces.usual).toEqual({
    jobs: {
      lease: 20_000,
      renewEvery: 5_000,
      pollEvery: 1_000,
      takeOverAfter: 5_000,
      confirmWithin: 2_000,
      progressEvery: 1_000,
      logEvery: 1_000,
      reconcileEvery: 2_000,
      reconcileAtMost: 10_000,
      cancelWait: 15_000,
      waitPoll: 500,
      stalledAfter: 120_000,
      abortWait: 15_000,
      timerWait: 1_000,
      ledgerWriteEvery: 1_000,
      ledgerFollowEvery: 30_000,
    },
    calls: { lease: 10_000, renewEvery: 3_000 },
    plans: { scanEvery: 1_000, scanWithLedger: 5_000, tendEvery: 30_000, waitEvery: 15_000, steady: 2_000 },
    hooks: { lookEvery: 2_000 },
    outbox: { scanEvery: 1_000, lease: 10_000, renewEvery: 3_000, takeOverAfter: 3_000, firstPause: 5_000 },
    incidents: { lookEvery: 5_000, firstAfter: 10_000, hold: 30_000, atLeastEvery: 60_000 },
    heartbeat: { every: 300_000, lookEvery: 10_000 },
    report: { lookEvery: 20_000 },
    states: { lookEvery: 5_000, readEvery: 60_000 },
    index: { lookEvery: 5_000, rest: 600_000 },
    cacheSettings: { lookEvery: 3_000 },
  });
});

/** A busy machine lets a process wait for so long. */
const slowMs = 2_000;

test.each(Object.entries(paces))('keeps leases through slow moments: %s', (_, { jobs, outbox, calls }) => {
  for (const { lease, renewEvery } of [jobs, outbox, calls]) {
    expect(renewEvery * 3).toBeLessThan(lease);
    expect(renewEvery + slowMs).toBeLessThan(lease);
  }
  expect(jobs.renewEvery + jobs.pollEvery + slowMs).toBeLessThan(jobs.lease);
});

test.each(Object.entries(paces))('ends a lost run before another starts: %s', (_, { jobs }) => {
  expect(jobs.pollEvery).toBeLessThan(jobs.renewEvery);
  expect(jobs.confirmWithin + jobs.pollEvery).toBeLessThan(jobs.takeOverAfter);
});

test.each(Object.entries(paces))('waits for longer than it looks: %s', (_, pace) => {
  const { jobs, plans, incidents, heartbeat, states, index } = pace;
  expect(jobs.reconcileEvery).toBeLessThanOrEqual(jobs.reconcileAtMost);
  expect(plans.scanEvery).toBeLessThan(plans.tendEvery);
  expect(incidents.lookEvery).toBeLessThan(incidents.atLeastEvery);
  expect(heartbeat.lookEvery).toBeLessThan(heartbeat.every);
  expect(states.lookEvery).toBeLessThan(states.readEvery);
  expect(index.lookEvery).toBeLessThan(index.rest);
});
