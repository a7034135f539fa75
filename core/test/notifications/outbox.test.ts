import { DeliveryError } from '@holdfast/plugin-api';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeHousekeepingWorker } from '../../src/app/housekeeping/housekeeping-worker.js';
import { flagOf, notificationKinds } from '../../src/insight/notifications/notification-kind.rules.js';
import { lookOften, makeWorld, type World } from './world.js';

let world: World;
let instance: ReturnType<World['startRunner']>;
beforeEach(() => {
  world = makeWorld();
  instance = world.startRunner('one');
  onTestFinished(() => instance.stop(0));
});

const settle = () => lookOften(instance);

describe('the outbox', () => {
  const everything = Object.fromEntries(
    ['backup_start', 'backup_success', 'backup_failure', 'restore_success', 'restore_failure'].map((kind) => [
      `notify_on_${kind}`,
      true,
    ]),
  );
  const all = { ...everything, notify_on_check_success: true };

  it.each(notificationKinds)('stores %s if its flag is on', async (kind) => {
    await world.create(all);
    await world.create({ ...all, [flagOf[kind]]: false });
    await world.happen(kind, 1, kind === 'report_weekly' ? { setting_id: 1 } : {});
    expect((await world.rows()).map((row) => row.setting_id)).toEqual([1]);
  });

  it('stores nothing for disabled channels or internal events', async () => {
    await world.create({ enabled: false });
    await world.happen('backup_failure');
    await world.create();
    await world.happen('archives_changed');
    expect(await world.rows()).toEqual([]);
  });

  it('stores events about monitored repositories', async () => {
    for (const name of ['a', 'b']) await world.addRepository(name);
    await world.create({ monitor_all_repositories: false, repository_ids: [2] });
    for (const id of [1, 2, 99, null]) await world.happen('backup_failure', id);
    expect((await world.rows()).map((row) => row.repository_id)).toEqual([2]);
  });

  it('stores nothing for a change that was rolled back', async () => {
    await world.create();
    const { storage, dependencies } = world;
    const event = { kind: 'backup_failure' as const, repositoryId: 1, jobId: null, data: {} };
    const work = storage.transaction(async (session) => {
      await dependencies.events.record(session, event);
      throw new Error('undone');
    });
    await expect(work).rejects.toThrow('undone');
    expect(await world.rows()).toEqual([]);
  });
});

describe('a message sent again', () => {
  it('keeps its id and its position in the order', async () => {
    await world.create();
    world.sink.fault = new DeliveryError('no', { retryable: false });
    await world.happen('backup_failure', 1, { repository_name: 'first' });
    await settle();
    world.sink.fault = null;
    const answer = await world.resendDelivery({ settingId: 1, deliveryId: 1 });
    expect(answer.delivery).toMatchObject({ status: 'pending', attempts: 0, last_error: null });
    await world.happen('backup_failure', 1, { repository_name: 'second' });
    await settle();
    expect(world.sink.got.map(({ data }) => data.repository_name)).toEqual(['first', 'second']);
    const { deliveries, total } = await world.listDeliveries(1, { limit: 1, offset: 0 });
    expect([deliveries.map(({ id }) => id), total]).toEqual([[2], 2]);
    const parked = await world.listDeliveries(1, { status: 'parked', limit: 9, offset: 0 });
    expect(parked).toMatchObject({ deliveries: [], total: 0 });
  });

  it('is not found in another channel', async () => {
    await world.create();
    await world.create();
    await world.happen('backup_failure');
    for (const key of [
      { settingId: 2, deliveryId: 1 },
      { settingId: 1, deliveryId: 99 },
    ]) {
      await expect(world.resendDelivery(key)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(world.listDeliveries(9, { limit: 1, offset: 0 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

it('forgets finished messages after a month and keeps pending ones', async () => {
  await world.create();
  await world.happen('backup_failure');
  await settle();
  world.sink.fault = new Error('down');
  await world.happen('backup_failure');
  world.clock.advance(31 * 86_400_000);
  const trying = world.startRunner('two');
  onTestFinished(() => trying.stop(0));
  await vi.waitFor(async () => expect((await world.rows())[1]).toMatchObject({ status: 'parked' }), 20_000);
  await makeHousekeepingWorker(world.dependencies).round();
  expect(await world.rows()).toMatchObject([{ id: 2, status: 'parked', last_error: 'down' }]);
});
