import { describe, expect, it } from 'vitest';
import { say } from '../../src/foundation/kernel/index.js';
import {
  type AttentionFacts,
  causes,
  isBelow,
  listAttention,
  nearlyFull,
  type RepositoryAttention,
} from '../../src/insight/monitoring/attention.rules.js';

const told = (text: string) => say`tool_failed: ${{ problem: text }}`;
const gib = 1024 ** 3;
const well: RepositoryAttention = {
  id: 1,
  name: 'home',
  damagedAt: null,
  openError: null,
  late: null,
  uncovered: false,
  paused: null,
  incompleteAt: null,
  outdated: null,
  space: null,
};
const nothing: AttentionFacts = {
  repositories: [],
  connections: [],
  parked: [],
  schedules: [],
  told: true,
  sheet: null,
};
const list = (facts: Partial<AttentionFacts>) => listAttention({ ...nothing, ...facts });
const full = { free: gib, total: 1_000 * gib, at: 7 };

describe('what needs attention', () => {
  it('is nothing where all is well', () => {
    const schedule = { id: 1, name: 's', enabled: true, empty: false, error: null, at: 5 };
    const connection = { id: 1, host: 'h', changed: false, space: { ...full, free: 900 * gib } };
    expect(list({ repositories: [well], schedules: [schedule], connections: [connection] })).toEqual([]);
  });

  it('has one entry for each cause and object, in the order of the causes', () => {
    const found = list({
      repositories: [
        {
          ...well,
          damagedAt: 1,
          incompleteAt: 2,
          outdated: { at: 3 },
          uncovered: true,
          space: full,
          paused: { schedule: 'nightly', reason: told('a source was missing'), since: 10 },
          late: { age: 30.5, promised: 26, since: 4 },
          drill: { text: 'No space.', at: 11 },
        },
        { ...well, id: 2, name: 'other', openError: { error: told('The passphrase is wrong.'), at: 6 } },
        { ...well, id: 8, name: 'box', openError: { error: told('The quota.'), at: 12, isFull: true } },
        { ...well, id: 9, name: 'old', unsigned: 2 },
      ],
      connections: [{ id: 3, host: 'nas', changed: true, space: full }],
      parked: [{ id: 4, name: 'chat', count: 2, since: 8 }],
      schedules: [
        { id: 5, name: 'nightly', enabled: true, empty: false, error: told('home failed: no space'), at: 9 },
        {
          id: 6,
          name: 'weekly',
          enabled: false,
          empty: true,
          error: told('Its last repository went.'),
          at: null,
        },
        { id: 7, name: 'off', enabled: false, empty: false, error: told('failed before'), at: 1 },
      ],
      told: false,
      sheet: say`sheet_never_made: No recovery sheet was made yet.`,
    });
    expect(found.map(({ cause, object, since }) => [cause, object.kind, object.id, since])).toEqual([
      ['damaged', 'repository', 1, 1],
      ['does_not_open', 'repository', 2, 6],
      ['drill_failed', 'repository', 1, 11],
      ['late', 'repository', 1, 4],
      ['archives_unsigned', 'repository', 9, null],
      ['host_key_changed', 'connection', 3, null],
      ['delivery_parked', 'notification_setting', 4, 8],
      ['storage_full', 'repository', 8, 12],
      ['storage_nearly_full', 'repository', 1, 7],
      ['storage_nearly_full', 'connection', 3, 7],
      ['schedule_failing', 'schedule', 5, 9],
      ['schedule_failing', 'schedule', 6, null],
      ['retention_paused', 'repository', 1, 10],
      ['archive_incomplete', 'repository', 1, 2],
      ['list_outdated', 'repository', 1, 3],
      ['not_covered', 'repository', 1, null],
      ['nobody_told', 'service', 1, null],
      ['recovery_sheet', 'service', 1, null],
    ]);
    expect(new Set(found.map(({ cause }) => cause))).toEqual(new Set(causes));
    const late = found.find(({ cause }) => cause === 'late')?.message;
    expect(late).toMatchObject({
      code: 'attention_late',
      params: { name: 'home', age: 30.5, promised: 26 },
      text: 'The newest archive of repository home is 30.5 h old; at most 26 h are promised.',
    });
    expect(`${found[8]?.message}`).toMatch(/^The storage of home is nearly full: 1.1 GB are free, 0 %\.$/);
  });

  it('puts what has stood longest first, and what stands since nobody knows when last', () => {
    const late = (id: number, since: number | null): RepositoryAttention => ({
      ...well,
      id,
      late: { age: null, promised: 26, since },
    });
    const found = list({ repositories: [late(1, null), late(2, 20), late(3, 10), late(4, 20)] });
    expect(found.map(({ object }) => object.id)).toEqual([3, 2, 4, 1]);
    expect(found[0]?.message.code).toBe('attention_late_without_archive');
  });

  it('says of a repository that does not open only that, not that its list is old', () => {
    const repository = { ...well, openError: { error: told('gone'), at: null }, outdated: { at: null } };
    const found = list({ repositories: [repository] });
    expect(found.map(({ cause }) => cause)).toEqual(['does_not_open']);
    expect(found[0]?.message.params).toMatchObject({
      error: 'gone',
      error_code: 'tool_failed',
      error_values: '{"problem":"gone"}',
    });
  });

  it('says of a repository without room that nothing can be written', () => {
    const repository = { ...well, openError: { error: told('quota'), at: 5, isFull: true } };
    expect(list({ repositories: [repository] })).toMatchObject([
      { cause: 'storage_full', since: 5, message: { code: 'attention_storage_full' } },
    ]);
  });

  it('takes a twentieth or a GiB for nearly full, but no more than half of a small file system', () => {
    const isFull = (free: number, total: number) => isBelow({ free, total }, nearlyFull);
    expect([isFull(4.9 * gib, 100 * gib), isFull(5 * gib, 100 * gib)]).toEqual([true, false]);
    expect([isFull(gib - 1, 10 * gib), isFull(gib, 10 * gib)]).toEqual([true, false]);
    expect([isFull(0.49 * gib, gib), isFull(0.5 * gib, gib), isFull(0, 0)]).toEqual([true, false, false]);
  });
});
