import { describe, expect, it } from 'vitest';
import {
  CoverageTally,
  coveragePercent,
  Proofs,
  testedForMs,
} from '../../src/backup/drills/coverage.rules.js';

const file = (path: string, more: object = {}) => ({ path, size: 10, mtime: 1, verdict: 'passed', ...more });

describe('drill coverage', () => {
  it('is the share of the bytes tested in the last 90 days', () => {
    const coverage = {
      bytes: 1_000,
      passed: [
        { at: 0, bytes: 300 },
        { at: 50, bytes: 119 },
      ],
    };
    expect(coveragePercent(coverage, 60)).toBe(41.9);
    // The first proof has grown too old.
    expect(coveragePercent(coverage, testedForMs)).toBe(11.9);
    expect(coveragePercent(coverage, testedForMs + 50)).toBe(0);
  });

  it('is never rounded up to everything, and unknown without content', () => {
    expect(coveragePercent({ bytes: 10_000, passed: [{ at: 1, bytes: 9_999 }] }, 2)).toBe(99.9);
    expect(coveragePercent({ bytes: 5, passed: [{ at: 1, bytes: 5 }] }, 2)).toBe(100);
    expect([coveragePercent(null, 0), coveragePercent({ bytes: 0, passed: [] }, 0)]).toEqual([null, null]);
  });

  it('knows a file by path, size and time: a changed file is another one', () => {
    const proofs = new Proofs();
    proofs.add(file('a'), 7);
    expect(proofs.of(file('a'))).toBe(7);
    for (const other of [file('b'), file('a', { size: 11 }), file('a', { mtime: 2 })])
      expect(proofs.of(other)).toBe(0);
  });

  it('takes the newest verdict on a file, and no more than it may remember', () => {
    const proofs = new Proofs(2);
    proofs.add(file('a', { verdict: 'not_examined' }), 10);
    proofs.add(file('a', { verdict: 'failed' }), 9);
    proofs.add(file('a'), 8);
    expect(proofs.of(file('a'))).toBe(0);
    proofs.add(file('b'), 7);
    expect(proofs.isFull).toBe(true);
    proofs.add(file('c'), 6);
    expect(proofs.of(file('c'))).toBe(0);
  });

  it('counts a file once, by the verdict of this drill before earlier ones', () => {
    const tally = new CoverageTally();
    tally.add(10, 0);
    tally.add(20, 5);
    tally.add(30, 5);
    tally.judge(10, 0, 9);
    tally.judge(20, 5, 9);
    tally.judge(30, 5, null);
    expect([tally.files, tally.coverage]).toEqual([3, { bytes: 60, passed: [{ at: 9, bytes: 30 }] }]);
  });
});
