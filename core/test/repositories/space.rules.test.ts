import { expect, it } from 'vitest';
import { spaceAt } from '../../src/backup/repositories/space.rules.js';

const row = { place_free: 1, place_total: 2, place_at: 3 };
const storage = { total: 1_000, used: 900, available: 50, percentUsed: 95, checkedAt: 7 };

it('takes the space of another host from its connection', () => {
  const remote = { ...row, path: 'ssh://u@h/r' };
  expect(spaceAt(remote, { storage })).toEqual({ free: 50, total: 950, at: 7 });
  expect(spaceAt(remote, undefined)).toBeNull();
});

it('shows the last look at this machine', () => {
  expect(spaceAt({ ...row, path: '/r' }, { storage })).toEqual({ free: 1, total: 2, at: 3 });
  expect(spaceAt({ ...row, path: '/r', place_at: null }, undefined)).toBeNull();
});
