import { describe, expect, it } from 'vitest';
import { type Candidate, Sampler } from '../../src/backup/drills/sample.rules.js';
import { candidateOf } from './entries.js';

/** Always the same numbers. */
function numbers(seed = 1) {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function sample(candidates: Iterable<Candidate>, limits: { files: number; bytes: number }) {
  const sampler = new Sampler(limits, numbers());
  for (const each of candidates) sampler.add(each);
  return sampler.pick().map(({ index }) => index);
}

const many = (count: number, of: (index: number) => Parameters<typeof candidateOf>[1] = () => ({})) =>
  Array.from({ length: count }, (_, index) => candidateOf(index, of(index)));

describe('a sample', () => {
  it('is everything, in the order of the archive, when that is within the limits', () => {
    expect(sample(many(5), { files: 10, bytes: 1_000 })).toEqual([0, 1, 2, 3, 4]);
  });

  it('keeps both limits', () => {
    expect(sample(many(100), { files: 7, bytes: 1_000 })).toHaveLength(7);
    expect(sample(many(100), { files: 50, bytes: 95 })).toHaveLength(9);
  });

  it('starts with the files that went longest without a test', () => {
    const all = many(100, (index) => ({ passedAt: index < 40 ? 500 + index : 0, mtime: 1_000 - index }));
    const picked = sample(all, { files: 8, bytes: 1_000 });
    // Half of it by need: never passed, and the oldest time.
    expect(picked).toEqual(expect.arrayContaining([99, 98, 97]));
    const passed = many(10, (index) => ({ passedAt: 100 - index }));
    expect(sample(passed, { files: 2, bytes: 1_000 })).toContain(9);
  });

  it('includes some of the largest, with at most half of the bytes', () => {
    const all = many(200, (index) => ({ size: index === 150 ? 400 : index === 151 ? 300 : 1, passedAt: 1 }));
    const picked = sample(all, { files: 20, bytes: 1_000 });
    expect(picked).toContain(150);
    const sizes = new Map(all.map(({ index, entry }) => [index, entry.size]));
    expect(picked.reduce((sum, index) => sum + (sizes.get(index) ?? 0), 0)).toBeLessThanOrEqual(1_000);
  });

  it('never has a file that is larger than the limit', () => {
    expect(
      sample(
        many(3, (index) => ({ size: index === 1 ? 101 : 1 })),
        { files: 5, bytes: 100 },
      ),
    ).toEqual([0, 2]);
  });

  it('is random in a quarter: over many archives each file has its turn', () => {
    const counts = new Map<number, number>();
    for (let round = 1; round <= 300; round++) {
      // Times that are the same leave the order of need to the first ones.
      const sampler = new Sampler({ files: 4, bytes: 10_000 }, numbers(round * 104_729));
      for (const each of many(40)) sampler.add(each);
      for (const { index } of sampler.pick()) counts.set(index, (counts.get(index) ?? 0) + 1);
    }
    expect(counts.size).toBe(40);
  });

  it('does not grow with the archive', () => {
    const sampler = new Sampler({ files: 100, bytes: 1e9 }, numbers());
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 100_000; index++) sampler.add(candidateOf(index, { mtime: -index }));
    global.gc?.();
    expect(sampler.pick()).toHaveLength(100);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150e6);
  });
});
