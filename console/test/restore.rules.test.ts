import { describe, expect, test } from 'vitest';
import { choiceOf, restoreAddress } from '../src/screens/restore/choice.rules.js';
import {
  begin,
  changesBetween,
  exampleOf,
  isExpired,
  isOutdated,
  newFolder,
  next,
  numberToType,
  type Order,
  type Plan,
  type State,
  usualParent,
} from '../src/screens/restore/restore.rules.js';
import { newestFirst, versionsOf } from '../src/screens/restore/search.rules.js';

const order: Order = {
  kind: 'folder',
  destination: '/srv/restored/x',
  connectionId: null,
  layout: 'selection',
  existing: 'stop',
  owners: 'numbers',
  acceptLowSpace: false,
};
const plan = (given: Partial<Plan> = {}): Plan =>
  ({
    plan_id: 'one',
    expires_at: '2026-11-24T03:00:00Z',
    files: 15,
    links: 0,
    others: 0,
    bytes: 100,
    free_bytes: 1_000,
    damaged_files: 0,
    collisions: { count: 0, examples: [] },
    blocked: { count: 0, examples: [] },
    ...given,
  }) as Plan;
const collisions = (count: number) => plan({ collisions: { count, examples: [] } });

describe('the way of a restore', () => {
  test('leads by a plan, a decision and another plan to the start', () => {
    let state: State = next(begin, { type: 'order', order });
    expect(state.step).toBe('planning');
    state = next(state, { type: 'planned', plan: collisions(3) });
    expect(state).toMatchObject({ step: 'plan', changes: null });
    state = next(state, { type: 'decide', decision: { existing: 'skip' } });
    expect(state).toMatchObject({ step: 'planning', order: { existing: 'skip' } });
    state = next(state, { type: 'planned', plan: collisions(3) });
    state = next(state, { type: 'start' });
    expect(state.step).toBe('starting');
  });

  test('shows differences to the replaced plan', () => {
    let state: State = next(next(begin, { type: 'order', order }), { type: 'planned', plan: plan() });
    state = next(next(state, { type: 'start' }), { type: 'renew' });
    state = next(state, { type: 'planned', plan: plan({ files: 14 }) });
    expect(state).toMatchObject({ step: 'plan', changes: [{ figure: 'files', before: 15, after: 14 }] });
  });

  test('keeps the order after a failed plan and the plan after a failed start', () => {
    const planning = next(begin, { type: 'order', order });
    expect(next(planning, { type: 'failed', error: 'no' })).toEqual({ step: 'target', order, error: 'no' });
    const starting = next(next(planning, { type: 'planned', plan: plan() }), { type: 'start' });
    expect(next(starting, { type: 'failed', error: 'no' })).toMatchObject({ step: 'plan', error: 'no' });
  });

  test('never starts without a plan', () => {
    expect(next(begin, { type: 'start' })).toBe(begin);
    const planning = next(begin, { type: 'order', order });
    expect(next(planning, { type: 'start' })).toBe(planning);
    expect(next(begin, { type: 'planned', plan: plan() })).toBe(begin);
  });
});

describe('the confirmation before the start', () => {
  test.each([
    ['a new folder', order, plan(), null],
    ['files that stay', { ...order, existing: 'skip' as const }, collisions(3), null],
    ['files that are replaced', { ...order, existing: 'replace' as const }, collisions(3), 3],
    ['nothing to replace', { ...order, existing: 'replace' as const }, plan(), null],
    ['in place', { ...order, kind: 'back' as const }, plan({ links: 2 }), null],
    [
      'in place, keeping',
      { ...order, kind: 'back' as const, existing: 'skip' as const },
      collisions(3),
      null,
    ],
    [
      'in place, replacing',
      { ...order, kind: 'back' as const, existing: 'replace' as const },
      collisions(3),
      3,
    ],
  ])('%s', (_, given, made, expected) => expect(numberToType(given, made)).toBe(expected));
});

test('free space is a change only if it is enough no more, or again', () => {
  expect(changesBetween(plan(), plan({ free_bytes: 900 }))).toEqual([]);
  expect(changesBetween(plan(), plan({ free_bytes: 10 }))).toEqual([{ figure: 'free', before: 1, after: 0 }]);
});

test('keeps a plan until its time or a refusal by the server', () => {
  expect(isExpired(plan(), Date.parse('2026-11-24T02:59:59Z'))).toBe(false);
  expect(isExpired(plan(), Date.parse('2026-11-24T03:00:00Z'))).toBe(true);
  expect(isOutdated(409, undefined)).toBe(true);
  expect(isOutdated(404, 'restore_plan_unknown')).toBe(true);
  expect(isOutdated(403, 'admin_required')).toBe(false);
});

test('shows an example of the destination of a path', () => {
  const to = (layout: Order['layout'], common: string) =>
    exampleOf({ destination: '/srv/x/', layout }, 'home/ann/letters', common);
  expect(to('selection', 'home/ann')).toBe('/srv/x/letters');
  expect(to('whole_path', 'home/ann')).toBe('/srv/x/home/ann/letters');
  expect(to('selection', '')).toBe('/srv/x/home/ann/letters');
});

test('names the new folder after repository and time in plain characters', () => {
  const now = new Date(2026, 10, 4, 9, 5);
  expect(newFolder('/srv/restored/', 'Fotos (NAS)', now)).toBe('/srv/restored/Fotos-NAS-2026-11-04-0905');
  expect(newFolder('/srv', '../..', now)).toBe('/srv/restored-2026-11-04-0905');
  expect(newFolder('/srv', 'קבצים', now)).toBe('/srv/restored-2026-11-04-0905');
});

test('suggests a folder next to the last one on this server', () => {
  const to = (destination: string, destination_connection_id: number | null = null) => ({
    destination,
    destination_connection_id,
  });
  expect(usualParent([to('/backup/there', 3), to('/'), to('/mnt/back/letters'), to('/old/x')])).toBe(
    '/mnt/back',
  );
  expect(usualParent([to('/backup/there', 3)])).toBe('/srv/restored');
  expect(usualParent([to('/letters')])).toBe('/srv/restored');
  expect(usualParent([])).toBe('/srv/restored');
});

describe('the address of a restore', () => {
  const drawer = () => {
    const kept = new Map<string, string>();
    return {
      kept,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
  };
  const back = (address: string, from = drawer()) =>
    choiceOf(new URLSearchParams(address.split('?')[1]), from);

  test.each([[['home/a%2fb?c=#d&e']], [['']], [['a', 'b']]])('gives %j back', (paths) => {
    const choice = { repositoryId: 1, archive: 'nas 1', paths };
    expect(back(restoreAddress(choice, drawer()))).toEqual(choice);
  });

  test('keeps very many paths in the tab', () => {
    const choice = {
      repositoryId: 1,
      archive: 'nas',
      paths: Array.from({ length: 1_000 }, (_, at) => `home/ann/${at}`),
    };
    const own = drawer();
    const address = restoreAddress(choice, own);
    expect(address.length).toBeLessThan(200);
    expect(back(address, own)).toEqual(choice);
    // In another browser nothing is chosen yet, which is no whole archive.
    expect(back(address)).toEqual({ ...choice, paths: [] });
  });

  test('chooses nothing without an archive', () => expect(back('/restore?repository=1')).toBeNull());
});

test('finds the newest version in the newest archive in any order', () => {
  const starts = new Map([
    ['a', '2026-01-01'],
    ['b', '2026-02-01'],
    ['c', '2026-03-01'],
  ]);
  const item = {
    name: 'x',
    path: 'x',
    versions: [
      { type: 'file' as const, size: 1, mtime: null, archives: ['a', 'c'] },
      { type: 'file' as const, size: 2, mtime: null, archives: ['b'] },
    ],
  };
  expect(versionsOf(item, starts).map(({ size, archive, count }) => [size, archive, count])).toEqual([
    [1, 'c', 2],
    [2, 'b', 1],
  ]);
  const names = ['a', 'c', 'b'].map((name) => ({ repositoryId: 1, name, start: starts.get(name) ?? '' }));
  expect(newestFirst(names).map(({ name }) => name)).toEqual(['c', 'b', 'a']);
});
