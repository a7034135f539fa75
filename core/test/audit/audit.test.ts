import { beforeEach, describe, expect, it } from 'vitest';
import type { Dependencies } from '../../src/app/app.js';
import { users } from '../../src/foundation/accounts/tables.js';
import { makeAuditTrail } from '../../src/foundation/audit/audit-trail.js';
import { auditEntries } from '../../src/foundation/audit/tables.js';
import { listEntries, noteRequest, sweepAudit } from '../../src/foundation/audit/use-cases.js';
import { faultyStorage } from '../fakes/faulty-storage.js';
import { auditWorld, fact } from './audit-world.js';

const day = 86_400_000;
let world: ReturnType<typeof auditWorld>;
let trail: ReturnType<typeof makeAuditTrail>;
beforeEach(() => {
  world = auditWorld();
  trail = makeAuditTrail({ ...world.store, log: world.log });
});

describe('old entries', () => {
  const sweep = (auditRetentionDays: number) =>
    sweepAudit({
      ...world.store,
      auditTrail: trail,
      settings: { auditRetentionDays } as Dependencies['settings'],
    });
  const places = async () => (await world.rows()).map(({ seq }) => seq);
  beforeEach(async () => {
    for (let batch = 0; batch < 4; batch++) {
      await world.append(...Array.from({ length: 300 }, (_, number) => `${batch}-${number}`));
      world.clock.advance(10 * day);
    }
  });

  it('are removed and the rest can be verified', async () => {
    const anchor = (await world.verify()).last;
    await sweep(25);
    expect((await places())[0]).toBe(601);
    expect((await world.rows()).at(-1)).toMatchObject({
      action: 'auditRemoveOld',
      note: expect.stringContaining('up to 600,'),
    });
    expect(await world.verify({ anchor })).toMatchObject({ entries: 601, finding: null });
    await sweep(25);
    expect(await places()).toHaveLength(601);
    expect((await world.verify({ anchor: { seq: 5, hash: 'f'.repeat(64) } })).finding).toMatchObject({
      seq: 5,
      what: expect.stringContaining('removed for its age'),
    });
  });

  it('leave a protected beginning', async () => {
    await sweep(25);
    await world.storage.remove(auditEntries, { seq: 601 });
    expect((await world.verify()).finding).toMatchObject({ seq: 601 });
  });

  it('keep the newest, and all if none is old or the limit is off', async () => {
    await sweep(0);
    await sweep(100);
    expect(await places()).toHaveLength(1200);
    world.clock.advance(1000 * day);
    await sweep(1);
    expect(await places()).toEqual([1200, 1201]);
    expect((await world.verify()).finding).toBeNull();
  });

  it('stay if they were changed', async () => {
    await world.storage.update(auditEntries, { seq: 7 }, { username: 'mira' });
    await expect(sweep(25)).rejects.toThrow('Entry 7 of the audit trail is invalid');
    expect(await places()).toHaveLength(1200);
  });

  it('are removed during a verification', async () => {
    const [verdict] = await Promise.all([world.verify(), sweep(25)]);
    expect(verdict.finding).toBeNull();
  });
});

describe('a login', () => {
  const note = (claimed: string, storage = world.storage) =>
    noteRequest(
      { storage, auditTrail: trail, log: world.log },
      fact('authLogin', { kind: 'login', user_id: null, username: null }),
      claimed,
    );
  beforeEach(async () => {
    await world.storage.insert(users, { username: 'mira', password_hash: '', created_at: 1 });
  });

  it('stores the name of a user but no other typed text', async () => {
    await note('mira');
    await note('my secret password');
    const rows = await world.rows();
    expect(rows.map(({ user_id, username }) => [user_id, username])).toEqual([
      [1, 'mira'],
      [null, null],
    ]);
  });

  it('is stored without a name if users cannot be read', async () => {
    const storage = faultyStorage(world.storage);
    storage.become('down');
    await note('mira', storage);
    expect(await world.rows()).toMatchObject([{ username: null }]);
  });
});

describe('a page', () => {
  const page = { limit: 2 };
  beforeEach(async () => {
    await world.append('a', 'b');
    world.clock.advance(1000);
    await world.append('a', 'c');
  });
  const placesOf = async (filter: object) => {
    const { entries, next_before } = await listEntries(world, { ...page, ...filter });
    return [entries.map(({ seq }) => seq), next_before];
  };

  it('follows the one before without a gap', async () => {
    expect(await placesOf({})).toEqual([[4, 3], 3]);
    expect(await placesOf({ before: 3 })).toEqual([[2, 1], null]);
  });

  it('contains only matching entries', async () => {
    const middle = new Date(world.clock.now()).toISOString();
    expect(await placesOf({ action: 'a' })).toEqual([[3, 1], null]);
    expect(await placesOf({ user: 'mira' })).toEqual([[], null]);
    expect(await placesOf({ since: middle })).toEqual([[4, 3], null]);
    expect(await placesOf({ until: middle, action: 'a', kind: 'change', outcome: 'done' })).toEqual([
      [1],
      null,
    ]);
  });
});
