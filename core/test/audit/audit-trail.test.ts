import { beforeEach, describe, expect, it } from 'vitest';
import { makeAuditTrail } from '../../src/foundation/audit/audit-trail.js';
import { auditHeads } from '../../src/foundation/audit/tables.js';
import { faultyStorage } from '../fakes/faulty-storage.js';
import { auditWorld, fact } from './audit-world.js';

let world: ReturnType<typeof auditWorld>;
beforeEach(() => {
  world = auditWorld();
});

function open(more: object = {}) {
  const storage = faultyStorage(world.storage);
  const trail = makeAuditTrail({ ...world.store, storage, log: world.log, retryMs: 1, ...more });
  return { storage, trail };
}
const told = (message: RegExp) => world.log.entries.filter((entry) => message.test(entry.message));
const actions = async () => (await world.rows()).map(({ action }) => action);

describe('the trail of a service', () => {
  it('stores concurrent entries together, in order', async () => {
    const { trail, storage } = open();
    const names = Array.from({ length: 50 }, (_, number) => `a${number}`);
    await Promise.all(names.map((name) => trail.append(fact(name))));
    expect(await actions()).toEqual(names);
    expect(storage.calls.transaction).toBeLessThanOrEqual(2);
    expect(trail.problem()).toBeNull();
  });

  it('keeps entries that it cannot write, reports it, and writes them later', async () => {
    const { trail, storage } = open();
    storage.become('down');
    const stored = trail.append(fact('a'));
    await expect.poll(() => `${trail.problem()}`).toMatch(/cannot be written/);
    expect(told(/could not write the audit trail/)).toHaveLength(1);
    expect(await actions()).toEqual([]);
    storage.become('well');
    await stored;
    expect([await actions(), trail.problem()]).toEqual([['a'], null]);
  });

  it('logs entries that exceed its memory and notes their number', async () => {
    const { trail, storage } = open({ maxWaiting: 2 });
    storage.become('down');
    const stored = [trail.append(fact('a')), trail.append(fact('b'))];
    await trail.append(fact('c'));
    expect(told(/could not write an entry/)).toMatchObject([
      { level: 'error', fields: { entry: { action: 'c' } } },
    ]);
    storage.become('well');
    await Promise.all(stored);
    expect(await actions()).toEqual(['a', 'b', 'auditLost']);
    expect((await world.verify()).finding).toBeNull();
  });

  it('writes pending entries before it ends, or logs them', async () => {
    const first = open();
    void first.trail.append(fact('a'));
    await first.trail.end(1_000);
    expect(await actions()).toEqual(['a']);
    const second = open();
    second.storage.become('down');
    void second.trail.append(fact('b'));
    await second.trail.end(20);
    await second.trail.append(fact('c'));
    const lost = told(/could not write an entry/).map(({ fields }) => fields);
    expect(lost).toMatchObject([{ entry: { action: 'b' } }, { entry: { action: 'c' } }]);
  });

  it('reports changed entries', async () => {
    await world.append('a');
    await world.storage.update(auditHeads, {}, { state: 'x' });
    const { trail } = open();
    await trail.append(fact('b'));
    expect(told(/tampered with/)).toMatchObject([{ level: 'error', fields: { entry: 3 } }]);
    expect(`${trail.problem()}`).toMatch(/audit trail was tampered with/);
    expect(await actions()).toEqual(['a', 'auditBroken', 'b']);
  });
});
