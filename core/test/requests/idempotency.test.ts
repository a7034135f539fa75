import { describe, expect, it } from 'vitest';
import { makeHousekeepingWorker } from '../../src/app/housekeeping/housekeeping-worker.js';
import { findCall, idempotencyUseCases, rememberedMs } from '../../src/app/requests/idempotency.js';
import { idempotencyKeys } from '../../src/app/requests/tables.js';
import { scripts } from '../../src/backup/hooks/tables.js';
import { repositories } from '../../src/backup/repositories/tables.js';
import { users } from '../../src/foundation/accounts/tables.js';
import { paces } from '../../src/foundation/kernel/pace.js';
import { settings } from '../../src/foundation/kernel/tables.js';
import { scopedStorage } from '../../src/foundation/kernel/transactions.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { silentLog } from '../fakes/silent-log.js';

const leaseMs = paces.usual.calls.lease;
const call = { userId: 1, route: 'POST /api/things', key: 'k', fingerprint: 'f' };
const user = { username: 'anna', password_hash: '', created_at: 1 };
const secrets = {
  seal: (purpose: string, plain: string) => `${purpose}|${Buffer.from(plain).toString('base64')}`,
  open: (purpose: string, envelope: string) => {
    if (!envelope.startsWith(`${purpose}|`)) throw new Error('another purpose');
    return Buffer.from(envelope.slice(purpose.length + 1), 'base64').toString();
  },
};

function world() {
  const storage = memoryStorage();
  const clock = manualClock();
  const needs = { storage, clock, log: silentLog(), secrets };
  const idempotency = idempotencyUseCases(needs);
  const begin = async () => {
    const found = await idempotency.find(call);
    if (found.kind !== 'run') throw new Error(found.kind);
    return found.ticket;
  };
  const make = (ticket: { id: number; fence: number; key: string }, username = 'anna') => {
    const scope = idempotency.scopeOf(ticket);
    return scopedStorage(storage, () => scope).insert(users, { ...user, username });
  };
  return { storage, clock, needs, idempotency, begin, make };
}

describe('a call with an Idempotency-Key', () => {
  it('runs once and is answered from the store for a day', async () => {
    const { idempotency, begin, make, clock, storage, needs } = world();
    const ticket = await begin();
    await make(ticket);
    await idempotency.remember(ticket, { status: 201, body: { token: 'hf_secret' } });
    const again = { kind: 'answered', answer: { status: 201, body: { token: 'hf_secret' } } };
    expect(await idempotency.find(call)).toEqual(again);
    clock.advance(rememberedMs - 1);
    await makeHousekeepingWorker(needs).round();
    expect(await idempotency.find(call)).toEqual(again);
    expect(JSON.stringify(await storage.find(idempotencyKeys))).not.toContain('hf_secret');
    clock.advance(1);
    expect((await idempotency.find(call)).kind).toBe('run');
    clock.advance(rememberedMs);
    await makeHousekeepingWorker(needs).round();
    expect(await storage.find(idempotencyKeys)).toEqual([]);
  });

  it('is separate per user and route, and refused for another request', async () => {
    const { idempotency, begin } = world();
    await begin();
    expect((await idempotency.find({ ...call, userId: 2 })).kind).toBe('run');
    expect((await idempotency.find({ ...call, route: 'POST /x' })).kind).toBe('run');
    const other = idempotency.find({ ...call, fingerprint: 'g' });
    await expect(other).rejects.toMatchObject({ code: 'conflict', detail: /another request/ });
  });

  it('starts once with concurrent requests', async () => {
    const { needs } = world();
    const ends = await Promise.allSettled(Array.from({ length: 20 }, () => findCall(needs, call)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends) {
      if (end.status === 'rejected')
        expect(end.reason).toMatchObject({ code: 'conflict', retryAfterSeconds: 5 });
    }
  });

  it('is taken over from a dead process that can then create nothing', async () => {
    const { idempotency, begin, make, clock, storage } = world();
    const dead = await begin();
    clock.advance(leaseMs - 1);
    await expect(idempotency.find(call)).rejects.toMatchObject({ code: 'conflict', retryAfterSeconds: 1 });
    clock.advance(1);
    const ticket = await begin();
    await expect(make(dead)).rejects.toMatchObject({ code: 'conflict' });
    expect(await storage.find(users)).toEqual([]);
    await make(ticket);
    await idempotency.remember(dead, { status: 500, body: {} });
    await idempotency.release(dead);
    await idempotency.remember(ticket, { status: 201, body: {} });
    expect(await idempotency.find(call)).toMatchObject({ answer: { status: 201 } });
  });

  it('answers a retry from the created resource when the first call was interrupted', async () => {
    const { idempotency, begin, make, clock } = world();
    const { id } = await make(await begin());
    await expect(idempotency.find(call)).rejects.toMatchObject({ code: 'conflict' });
    clock.advance(leaseMs);
    const found = await idempotency.find(call);
    expect(found).toMatchObject({ kind: 'made', made: [{ entity: 'user', id }] });
    if (found.kind !== 'made') throw new Error(found.kind);
    await expect(make(found.ticket, 'bert')).rejects.toMatchObject({ code: 'conflict' });
    await idempotency.restart(found.ticket);
    await make(found.ticket, 'bert');
  });

  it('reports the removed row that it restored', async () => {
    const { storage, clock, idempotency, begin } = world();
    const removed = {
      uid: 'u',
      tool_id: 't',
      name: 'n',
      path: '/p',
      encryption: 'none' as const,
      compression: 'lz4',
    };
    const row = {
      ...removed,
      source_directories: [],
      exclude_patterns: [],
      mode: 'full' as const,
      created_at: 1,
      updated_at: 1,
      removed_at: 2,
    };
    const { id } = await storage.insert(repositories, row);
    const scope = idempotency.scopeOf(await begin());
    await scopedStorage(storage, () => scope).update(repositories, { id }, { removed_at: null });
    clock.advance(leaseMs + 1);
    expect(await idempotency.find(call)).toMatchObject({
      kind: 'made',
      made: [{ entity: 'repository', id }],
    });
  });

  it('is repeated after a failure, or continues from its result', async () => {
    const { idempotency, begin, make } = world();
    const first = await begin();
    await idempotency.release(first);
    const second = await begin();
    await make(second);
    await idempotency.release(second);
    expect((await idempotency.find(call)).kind).toBe('made');
  });

  it('records objects of its first transaction only', async () => {
    const { idempotency, begin, storage } = world();
    const ticket = await begin();
    const scope = idempotency.scopeOf(ticket);
    const scoped = scopedStorage(storage, () => scope);
    await scoped.insert(settings, { key: 'a', value: 1 });
    const failing = scoped.transaction(async (session) => {
      await session.insert(users, user);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await storage.find(idempotencyKeys)).toMatchObject([{ status: 'running', made: null }]);
    await scoped.insert(users, user);
    await scoped.insert(scripts, {
      uid: 'u',
      name: 's',
      content: '',
      category: 'custom',
      timeout: 1,
      run_on: 'always',
      parameters: [],
      created_at: 1,
      updated_at: 1,
    } as never);
    expect(await storage.find(idempotencyKeys)).toMatchObject([
      { status: 'made', made: [{ entity: 'user', id: 1 }] },
    ]);
  });
});
