import { expect, it } from 'vitest';
import { hookJournals, scriptRuns } from '../../src/backup/hooks/tables.js';
import { restorePlans } from '../../src/backup/restore/tables.js';
import { schedules, slots } from '../../src/backup/schedules/tables.js';
import { instances } from '../../src/engine/jobs/tables.js';
import { browserSessions, downloadTickets, tokens } from '../../src/foundation/accounts/tables.js';
import { deliveries } from '../../src/insight/notifications/tables.js';
import { day, makeWorld } from './world.js';

it('removes expired tokens and the oldest logins above the limit', async () => {
  const { storage, clock, round } = makeWorld();
  const add = (user_id: number, kind: 'session' | 'api', days: number | null) =>
    storage.insert(tokens, {
      user_id,
      kind,
      hash: `${Math.random()}`,
      created_at: 1,
      expires_at: days === null ? null : clock.now() + days * day,
    });
  await add(1, 'session', -1);
  await add(1, 'api', -1);
  const forever = await add(1, 'api', null);
  const [first, ...others] = [
    await add(1, 'session', 1),
    await add(1, 'session', 1),
    await add(1, 'session', 1),
  ];
  const browser = await storage.insert(tokens, {
    user_id: 1,
    kind: 'session',
    hash: 'browser',
    created_at: 1,
    session_id: 1,
    expires_at: clock.now() + day,
  });
  const someone = await add(2, 'session', 1);
  await round({ sessionsOfUser: 2 });
  const left = (await storage.find(tokens)).map(({ id }) => id);
  expect(left).toEqual([forever.id, ...others.map(({ id }) => id), browser.id, someone.id]);
  expect(left).not.toContain(first?.id);
});

it('removes expired browser sessions and the oldest above the limit', async () => {
  const { storage, clock, round } = makeWorld();
  const add = async (user_id: number, days: number) => {
    const row = await storage.insert(browserSessions, {
      user_id,
      handle_hash: `${Math.random()}`,
      current_hash: '',
      salt: '',
      remember: true,
      rotated_at: 1,
      created_at: 1,
      expires_at: clock.now() + days * day,
    });
    const token = { user_id, kind: 'session' as const, hash: `${Math.random()}`, created_at: 1 };
    await storage.insert(tokens, { ...token, session_id: row.id, expires_at: clock.now() + day });
    return row.id;
  };
  await add(1, -1);
  await add(1, 1);
  const left = [await add(1, 1), await add(1, 1), await add(2, 1)];
  const login = { user_id: 1, kind: 'session' as const, hash: 'login', created_at: 1 };
  const { id } = await storage.insert(tokens, { ...login, expires_at: clock.now() + day });
  await round({ sessionsOfUser: 2 });
  expect((await storage.find(browserSessions)).map((row) => row.id)).toEqual(left);
  const kept = await storage.find(tokens);
  expect(kept.filter(({ session_id }) => left.includes(session_id ?? 0))).toHaveLength(3);
  expect(kept.map((row) => row.id)).toContain(id);
  // That of the expired session is left: its own time ends it.
  expect(kept).toHaveLength(5);
});

it('removes old tickets, dead instances and closed journals, and keeps open ones', async () => {
  const { storage, clock, round } = makeWorld();
  const ticket = { object_hash: 'o', user_id: 1, token_id: 1 };
  await storage.insert(downloadTickets, { ...ticket, hash: 'old', expires_at: clock.now() - 1 });
  await storage.insert(downloadTickets, { ...ticket, hash: 'new', expires_at: clock.now() + day });
  const instance = { host: 'h', pid: 1, place: 'p', process_start: '1', version: '1', started_at: 1 };
  await storage.insert(instances, { ...instance, uid: 'dead', lease_until: clock.now() - 2 * day });
  await storage.insert(instances, { ...instance, uid: 'alive', lease_until: clock.now() });
  const journal = { scope: 'job' as const, job_ids: [], plan: '', failures: [], created_at: 1 };
  const at = clock.now() - 2 * day;
  await storage.insert(hookJournals, { ...journal, uid: 'c', job_id: 1, stage: 'closed', closed_at: at });
  await storage.insert(hookJournals, { ...journal, uid: 'o', job_id: 2, stage: 'after' });
  await round();
  expect((await storage.find(downloadTickets)).map(({ hash }) => hash)).toEqual(['new']);
  expect((await storage.find(instances)).map(({ uid }) => uid)).toEqual(['alive']);
  expect((await storage.find(hookJournals)).map(({ uid }) => uid)).toEqual(['o']);
});

it('removes expired plans unless their restore still waits', async () => {
  const { storage, clock, addJob, round } = makeWorld();
  const waits = await addJob(0, { kind: 'restore', status: 'pending', completed_at: null });
  const over = await addJob(0, { kind: 'restore' });
  const add = (key: string, job_id: number | null, expires_at = clock.now() - 1) =>
    storage.insert(restorePlans, {
      key,
      job_id,
      expires_at,
      requested_by: 'alice',
      stamps: [],
      obstacles: [],
      order: {} as never,
    });
  await add('unused', null);
  await add('of one that ended', over.id);
  await add('of one that waits', waits.id);
  await add('young', null, clock.now() + day);
  await round();
  expect((await storage.find(restorePlans)).map(({ key }) => key)).toEqual(['of one that waits', 'young']);
});

it('removes runs by age and number, but keeps the last and running ones', async () => {
  const { storage, clock, round } = makeWorld();
  const schedule = (name: string) =>
    storage.insert(schedules, {
      name,
      cron_expression: '0 2 * * *',
      timezone: 'UTC',
      catch_up: 'one' as const,
      created_at: 1,
      updated_at: 1,
    });
  const run = (schedule_id: number, days: number, outcome: 'completed' | 'running' = 'completed') =>
    storage.insert(slots, {
      schedule_id,
      planned_at: clock.now() - days * day,
      trigger: 'schedule',
      outcome,
      job_ids: [],
    });
  const [often, rare] = [await schedule('often'), await schedule('rare')];
  for (let n = 400; n > 0; n--) await run(often.id, n);
  await run(often.id, 500, 'running');
  await run(rare.id, 900);
  await run(rare.id, 800);
  await round();
  const of = async (schedule_id: number) =>
    (await storage.find(slots, { where: { schedule_id }, order: [['planned_at', 'asc']] })).length;
  expect(await of(often.id)).toBe(365);
  expect(await of(rare.id)).toBe(1);
  await round({ runsOfSchedule: 100 });
  expect(await of(often.id)).toBe(101);
  expect(await storage.find(slots, { where: { outcome: 'running' } })).toHaveLength(1);
});

it('removes script runs with their logs unless hooks are still owed', async () => {
  const { storage, clock, round } = makeWorld();
  const { id: owed } = await storage.insert(hookJournals, {
    uid: 'u',
    scope: 'job',
    job_id: 1,
    job_ids: [],
    plan: '',
    stage: 'after',
    failures: [],
    created_at: 1,
  });
  const add = (journal_id: number, days: number) =>
    storage.insert(scriptRuns, {
      script_id: 1,
      journal_id,
      hook_type: 'pre-backup',
      status: 'running',
      started_at: clock.now() - days * day,
    });
  for (let n = 0; n < 250; n++) await add(77, 91);
  const left = [await add(owed, 91), await add(77, 89)];
  await round();
  expect(await storage.find(scriptRuns)).toEqual(left);
});

it('removes messages after their end, and grouped failures much later', async () => {
  const { storage, clock, round } = makeWorld();
  const add = (message_id: string, status: 'delivered' | 'pending', topic: string | null = null) =>
    storage.insert(deliveries, {
      message_id,
      setting_id: 1,
      event_id: 1,
      first_at: 1,
      status,
      topic,
      next_attempt_at: 1,
      queued_at: 1,
      created_at: 1,
      ended_at: status === 'pending' ? null : clock.now() - 31 * day,
    });
  await add('delivered', 'delivered');
  await add('waiting', 'pending');
  await add('grouped', 'delivered', 'backup:1');
  await round();
  expect((await storage.find(deliveries)).map((row) => row.message_id)).toEqual(['waiting', 'grouped']);
  clock.advance(365 * day);
  await round();
  expect((await storage.find(deliveries)).map((row) => row.message_id)).toEqual(['waiting']);
});
