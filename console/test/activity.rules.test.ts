import { describe, expect, it } from 'vitest';
import type { Schemas } from '../src/api/client.js';
import { pictureOf } from '../src/screens/activity/lanes.rules.js';
import { canRunAgain, fixOf, lastAttempts } from '../src/screens/activity/run-again.rules.js';
import { type Sample, withSample } from '../src/screens/activity/samples.rules.js';

const now = Date.parse('2026-05-03T12:00Z');
const hour = 3_600_000;
const at = (hours: number) => new Date(now - hours * hour).toISOString();

const job = (id: number, hours: number, more = {}) =>
  ({
    id,
    kind: 'backup',
    status: 'completed',
    repository: `/${id}`,
    repository_id: id,
    repository_name: `name ${id}`,
    requested_at: at(hours),
    started_at: at(hours),
    completed_at: at(hours - 0.5),
    about: {},
    ...more,
  }) as Schemas['JobView'];
const running = { status: 'running', completed_at: null };
const pending = { status: 'pending', started_at: null, completed_at: null };

describe('the picture of jobs', () => {
  it('shows a day, and running jobs from before it', () => {
    const picture = pictureOf([job(1, 30, running), job(2, 3), job(3, 26)], now, true);
    expect(picture).toMatchObject({ from: now - 24 * hour, count: 2 });
    expect(picture?.lanes.map(({ name }) => name)).toEqual(['name 1', 'name 2']);
  });

  it('shows a week when the last day had no job', () => {
    expect(pictureOf([job(1, 60)], now, true)?.from).toBe(now - 7 * 24 * hour);
  });

  it('begins with the oldest job that was read when there are more', () => {
    expect(pictureOf([job(2, 1), job(1, 3)], now, false)?.from).toBe(now - 3 * hour);
  });

  it('puts running jobs first, then failures, and jobs of a repository in one lane', () => {
    const jobs = [job(1, 1), job(2, 5, { status: 'failed' }), job(3, 9, running)];
    const again = job(4, 2, { repository_id: 1 });
    const lanes = pictureOf([...jobs, again], now, true)?.lanes;
    expect(lanes?.map((lane) => lane.jobs.map(({ id }) => id))).toEqual([[3], [2], [1, 4]]);
  });

  it.each([[[]], [[job(1, 24 * 40)]], [[job(1, 1, pending)]]])('is none when nothing ran (%#)', (jobs) => {
    expect(pictureOf(jobs, now, true)).toBeNull();
  });
});

describe('running a job again', () => {
  const failed = (kind: string, about = {}) => ({ ...job(1, 1), kind, status: 'failed', about }) as never;

  it.each([
    ['backup', {}, 'full', false, true],
    ['backup', {}, 'observe', true, false],
    ['backup', {}, undefined, true, false],
    ['check', { check_type: 'manual' }, 'observe', false, true],
    ['check', { check_type: 'repair' }, 'full', true, false],
    ['check', { signs: true }, 'full', true, false],
    ['compact', {}, 'full', false, false],
    ['drill', {}, 'full', true, true],
    ['prune', {}, 'full', true, false],
    ['restore', {}, 'full', true, false],
  ])('offers it for %s %j in %s mode to an administrator (%s): %s', (kind, about, mode, isAdmin, can) => {
    expect(canRunAgain(failed(kind, about), mode, { isAdmin, mayOperate: true })).toBe(can);
  });

  it('needs the right to operate the repository', () => {
    expect(canRunAgain(failed('backup'), 'full', { isAdmin: false, mayOperate: false })).toBe(false);
  });

  it('is for failed jobs', () => {
    expect(canRunAgain(job(1, 1), 'full', { isAdmin: true, mayOperate: true })).toBe(false);
  });

  it('is for the last job of each kind and repository', () => {
    const jobs = [job(9, 1, { repository_id: 1 }), job(4, 2, { repository_id: 1 }), job(3, 2)];
    expect([...lastAttempts(jobs)]).toEqual([9, 3]);
  });
});

describe('what has to change before a job can succeed', () => {
  const of = (kind: string, more = {}) => ({ kind, about: {}, error_code: null, ...more }) as never;

  it.each([
    [of('backup'), true, 'maintenance'],
    [of('backup'), false, null],
    [of('backup', { error_code: 'sources_absent' }), false, 'settings'],
    [of('check', { about: { problems_found: true } }), false, 'maintenance'],
    [of('check'), false, null],
    [of('drill', { about: { failed_files: 2 } }), false, 'drills'],
    [of('prune'), false, 'maintenance'],
  ])('is found for %j in a closed repository (%s): %s', (job, isClosed, fix) => {
    expect(fixOf(job, isClosed)).toBe(fix);
  });
});

describe('samples of the speed', () => {
  const add = (...all: [number, number][]) =>
    all.reduce<Sample[]>((known, [at, speed]) => withSample(known, { at, speed }), []);

  it('leave out unknown values', () => {
    expect(add([1, 5], [2, 0], [3, 6])).toEqual([
      { at: 1, speed: 5 },
      { at: 3, speed: 6 },
    ]);
  });

  it('begin again after a time without reports', () => {
    expect(add([1, 5], [2, 6], [40, 7])).toEqual([{ at: 40, speed: 7 }]);
  });

  it('stay a small number and keep both ends', () => {
    const many = add(...Array.from({ length: 2_000 }, (_, n): [number, number] => [n, 1]));
    expect(many.length).toBeLessThanOrEqual(900);
    expect([many[0]?.at, many.at(-1)?.at]).toEqual([0, 1_999]);
  });
});
