import { describe, expect, it } from 'vitest';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { ProgressMeter } from '../../src/engine/jobs/progress.js';
import { manualClock } from '../fakes/manual-clock.js';

const MiB = 2 ** 20;

function meter() {
  const clock = manualClock(0);
  return { clock, meter: new ProgressMeter(noProgress, clock.now) };
}

describe('ProgressMeter', () => {
  it('keeps figures that were not reported again', () => {
    const { meter: it } = meter();
    it.add({ files: 3, currentPath: 'a' });
    it.add({ originalSize: 5, files: undefined });
    expect(it.current()).toMatchObject({ files: 3, currentPath: 'a', originalSize: 5 });
  });

  it('reports 1 percent without a known total, and at most 99 before the end', () => {
    const { meter: it } = meter();
    expect(it.current().percent).toBe(0);
    it.add({ originalSize: 10 });
    expect(it.current().percent).toBe(1);
    it.add({ expectedSize: 100_000 });
    expect(it.current().percent).toBe(1);
    it.add({ originalSize: 12_345 });
    expect(it.current().percent).toBe(12.3);
    it.add({ originalSize: 200_000 });
    expect(it.current().percent).toBe(99);
    expect(it.final({}, true)).toMatchObject({ percent: 100, secondsRemaining: 0 });
    expect(it.final({}, false).percent).toBe(99);
  });

  it('takes the percentage of a handler that knows it', () => {
    const { meter: it } = meter();
    it.add({ percent: 50, originalSize: 1, expectedSize: 100 });
    expect(it.current().percent).toBe(50);
    it.add({ percent: 100 });
    expect(it.current().percent).toBe(99);
  });

  it('measures the speed over the last 30 seconds', () => {
    const { clock, meter: it } = meter();
    const run = (seconds: number, rate: number) => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1_000);
        it.add({ originalSize: it.current().originalSize + rate * MiB });
      }
    };
    run(60, 10);
    expect(it.current().speed).toBeCloseTo(10, 1);
    run(15, 40);
    expect(it.current().speed).toBeCloseTo(25, 0);
    run(31, 40);
    expect(it.current().speed).toBeCloseTo(40, 0);
    clock.advance(31_000);
    expect(it.current().speed).toBe(0);
  });

  it('says how long it will take at this speed', () => {
    const { clock, meter: it } = meter();
    it.add({ expectedSize: 100 * MiB });
    clock.advance(10_000);
    it.add({ originalSize: 20 * MiB });
    expect(it.current()).toMatchObject({ speed: 2, secondsRemaining: 40 });
  });
});
