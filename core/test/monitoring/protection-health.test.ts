import { describe, expect, it, vi } from 'vitest';
import { needsAttention } from '../../src/insight/monitoring/needs-attention.rules.js';
import { judgeOpening, judgeProtection } from '../../src/insight/monitoring/protection.rules.js';
import { getProtectionHealth, withoutNames } from '../../src/insight/monitoring/protection-health.js';
import { readRepositoryFacts } from '../../src/insight/monitoring/repository-facts.js';
import { hour, incidentWorld } from '../incidents/world.js';

const now = 1_000 * hour;
const facts = {
  objective: 24,
  observed: false,
  createdAt: now - hour,
  listedAt: now,
  newest: null,
  futureAt: null,
  uncountedAt: null,
  schedules: [],
  damage: null,
  check: null,
  backupFailedAt: null,
};
const at = (age: number) => ({ start: now - age * hour, end: null });
const shut = { open_error: 'gone', open_error_at: null, open_error_kind: 'repository_missing' as const };
const opens = { open_error: null, open_error_at: null, open_error_kind: null };

describe('the need for attention', () => {
  it.each([
    ['a recent archive', { newest: at(1) }, opens, false],
    ['an old one', { newest: at(30) }, opens, true],
    ['a first backup that is not due yet', {}, opens, false],
    ['a first backup that was due', { createdAt: now - 30 * hour }, opens, true],
    ['nothing promised', { objective: null, newest: at(1) }, opens, false],
    ['damage', { newest: at(1), damage: { endedAt: now, jobId: 1 } }, opens, true],
    ['a repository that does not open', { newest: at(1) }, shut, true],
    ['a list to be read again, of a recent archive', { newest: at(1), listedAt: null }, opens, false],
    ['a list to be read again, of an old archive', { newest: at(30), listedAt: null }, opens, true],
  ])('is derived for %s', (_, more, opening, expected) => {
    const all = { ...facts, ...more };
    const judged = judgeOpening(judgeProtection(all, now), opening);
    const newest = 'newest' in all ? (all.newest?.start ?? null) : null;
    expect(needsAttention(judged, { created_at: all.createdAt, ...opening, newest }, now)).toBe(expected);
  });
});

describe('GET /health/protection', () => {
  it('counts for all, names repositories for users, and reads once in five seconds', async () => {
    const world = incidentWorld();
    const read = getProtectionHealth(world.needs);
    expect(await read()).toMatchObject({ status: 'protected', code: 'protection_of_nothing' });
    const home = await world.repository('home');
    await world.archive(home, world.clock.now() - 30 * hour);
    const find = vi.spyOn(world.storage, 'find');
    await Promise.all([read(), read(), read()]);
    expect(find).not.toHaveBeenCalled();
    world.clock.advance(5_000);
    const [told] = await Promise.all([read(), read(), read()]);
    const calls = find.mock.calls.length;
    await read();
    expect(find.mock.calls).toHaveLength(calls);
    expect(told).toMatchObject({
      status: 'not_protected',
      code: 'protection_incomplete',
      params: { late: 1, damaged: 0 },
      counts: { protected: 0, late: 1, unknown: 0, damaged: 0 },
      repositories: [{ name: 'home', status: 'late', reasons: [expect.stringContaining('30 h')] }],
    });
    expect(JSON.stringify(withoutNames(told))).not.toContain('home');
  });

  it('names a partial archive when a good one has the same second', async () => {
    const world = incidentWorld();
    const home = await world.repository('home');
    await world.archive(home);
    const partial = { tool_id: 'other', name: 'other', partial: true, lacking: ['/srv/net'] };
    await world.archive(home, world.clock.now(), partial);
    const { repositories } = await readRepositoryFacts(world.needs);
    const [{ protection, uncountedAt } = {}] = repositories;
    expect(uncountedAt).toBe(world.clock.now());
    expect(protection?.reasons.join(' ')).toContain('does not count: /srv/net are missing');
  });

  it('does not keep a failure', async () => {
    const { needs, storage } = incidentWorld();
    const read = getProtectionHealth(needs);
    vi.spyOn(storage, 'find').mockRejectedValueOnce(new Error('down'));
    await expect(read()).rejects.toThrow('down');
    expect(await read()).toMatchObject({ status: 'protected' });
  });
});
