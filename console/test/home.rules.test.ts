import { describe, expect, it } from 'vitest';
import { byCause } from '../src/screens/home/cause.rules.js';
import { countProven, grouped } from '../src/screens/home/map.rules.js';

const repository = (name: string, values: object = {}) =>
  ({
    name,
    host: null,
    tags: [],
    status: 'protected',
    damaged: false,
    last_verified_restore: null,
    ...values,
  }) as never;
const namesOf = (groups: readonly (readonly [string | null, readonly { name: string }[]])[]) =>
  groups.map(([host, some]) => [host, ...some.map(({ name }) => name)]);

describe('the repositories of Home', () => {
  const byHost = (all: readonly never[], text: string) => grouped(all, { text, by: 'host' });
  const all = [
    repository('b10'),
    repository('b9'),
    repository('late', { status: 'late' }),
    repository('hurt', { host: 'nas', damaged: true }),
    repository('fine', { host: 'nas' }),
  ];

  it('groups them by host, the worst first', () => {
    expect(namesOf(byHost(all, ''))).toEqual([
      [null, 'late', 'b9', 'b10'],
      ['nas', 'hurt', 'fine'],
    ]);
  });

  it('finds them by name or host', () => {
    expect(namesOf(byHost(all, ' NAS'))).toEqual([['nas', 'hurt', 'fine']]);
    expect(namesOf(byHost(all, 'b1'))).toEqual([[null, 'b10']]);
    expect(byHost(all, 'nothing')).toEqual([]);
  });

  it('groups them by each of their tags, and finds them by tag', () => {
    const tagged = [
      repository('b1', { tags: ['web', 'db'] }),
      repository('b2', { tags: ['web'] }),
      repository('b3'),
    ];
    expect(namesOf(grouped(tagged, { text: '', by: 'tag' }))).toEqual([
      ['db', 'b1'],
      ['web', 'b1', 'b2'],
      [null, 'b3'],
    ]);
    expect(namesOf(grouped(tagged, { text: 'DB', by: 'host' }))).toEqual([[null, 'b1']]);
  });

  it('counts those that were restored within 90 days', () => {
    const now = Date.parse('2026-11-27T00:00:00Z');
    const at = (last_verified_restore: string) => repository('x', { last_verified_restore });
    const verified = [at('2026-11-01T00:00:00Z'), at('2026-08-01T00:00:00Z'), repository('never')];
    expect(countProven(verified, now)).toBe(1);
  });
});

describe('the problems of Home', () => {
  const item = (cause: string, id: number, snoozed_until: string | null = null) =>
    ({ cause, object: { kind: 'repository', id, name: `r${id}` }, snoozed_until }) as never;
  const idsOf = (groups: readonly (readonly { object: { id: number } }[])[]) =>
    groups.map((same) => same.map(({ object }) => object.id));

  it('joins three or more of one cause where the first one is', () => {
    const items = [item('late', 1), item('damaged', 2), item('late', 3), item('late', 4), item('damaged', 5)];
    expect(idsOf(byCause(items))).toEqual([[1, 3, 4], [2], [5]]);
  });

  it('keeps a snoozed one by itself', () => {
    const items = [item('late', 1), item('late', 2, '2026-12-01'), item('late', 3)];
    expect(idsOf(byCause(items))).toEqual([[1], [3], [2]]);
  });
});
