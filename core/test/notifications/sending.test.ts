import { DeliveryError } from '@holdfast/plugin-api';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { events } from '../../src/foundation/events/tables.js';
import { lookOften, makeWorld, type World } from './world.js';

let world: World;
let instance: ReturnType<World['startRunner']>;
beforeEach(() => {
  world = makeWorld();
  instance = world.startRunner('one');
  onTestFinished(() => instance.stop(0));
});

const settle = () => lookOften(instance);
const statuses = async () => (await world.rows()).map(({ status }) => status);

describe('sending', () => {
  it('moves last_used_at on a delivery only', async () => {
    await world.create();
    world.sink.fault = new Error('down');
    await world.happen('backup_failure');
    await settle();
    expect((await world.setting(1))?.last_used_at).toBeNull();
    world.sink.fault = null;
    world.clock.advance(5_000);
    await settle();
    expect((await world.setting(1))?.last_used_at).toBe(world.clock.now());
    expect(await world.rows()).toMatchObject([{ status: 'delivered', attempts: 2, last_error: null }]);
  });

  it('keeps the order of a repository, and others do not wait for it', async () => {
    await world.create();
    world.sink.fault = new Error('down');
    for (let n = 1; n <= 3; n++) await world.happen('backup_failure', 1, { repository_name: `one-${n}` });
    await settle();
    expect((await world.rows()).map(({ attempts }) => attempts)).toEqual([1, 0, 0]);
    world.sink.fault = null;
    await world.happen('backup_failure', 2, { repository_name: 'two' });
    await settle();
    world.clock.advance(5_000);
    await settle();
    const names = world.sink.got.map(({ data }) => data.repository_name);
    expect(names).toEqual(['two', 'one-1', 'one-2', 'one-3']);
    expect(new Set(world.sink.got.map(({ id }) => id)).size).toBe(4);
  });

  it('backs off, and gives up after 24 h with the reason', async () => {
    await world.create();
    world.sink.fault = new Error('refused by host');
    await world.happen('backup_failure');
    await settle();
    const [row] = await world.rows();
    expect(row?.next_attempt_at).toBe(world.clock.now() + 5_000);
    for (let tries = 0; tries < 200; tries++) {
      world.clock.advance(900_000);
      await instance.look();
      await instance.look();
    }
    expect(await world.rows()).toMatchObject([
      { status: 'parked', last_error: 'refused by host', attempts: 97 },
    ]);
  });

  it('retries within an hour after a clock was a year ahead', async () => {
    const year = 365 * 86_400_000;
    await world.create();
    world.sink.fault = new Error('refused by host');
    world.clock.advance(year);
    await world.happen('backup_failure');
    await settle();
    world.clock.advance(-year);
    world.sink.fault = null;
    await settle();
    expect(await world.rows()).toMatchObject([{ status: 'delivered' }]);
  });

  it('sends a group stored while the clock was a year ahead', async () => {
    const year = 365 * 86_400_000;
    await world.create({ failure_grouping_minutes: 10 });
    world.clock.advance(year);
    await world.happen('backup_failure');
    world.clock.advance(-year);
    await settle();
    expect(await world.rows()).toMatchObject([{ status: 'delivered' }]);
  });

  it('waits for as long as the receiver asks', async () => {
    await world.create();
    world.sink.fault = new DeliveryError('429: slow down', { retryable: true, retryAfterMs: 70_000 });
    await world.happen('backup_failure');
    await settle();
    expect((await world.rows())[0]?.next_attempt_at).toBe(world.clock.now() + 70_000);
  });

  it('gives up permanent failures at once and continues with the next', async () => {
    await world.create();
    world.sink.fault = new DeliveryError('404: no such hook', { retryable: false });
    await world.happen('backup_failure');
    await settle();
    world.sink.fault = null;
    await world.happen('backup_failure');
    await settle();
    expect(await statuses()).toEqual(['parked', 'delivered']);
    const told = await world.storage.find(events, { where: { kind: 'delivery_parked' } });
    expect(told).toMatchObject([
      { repository_id: 1, data: { delivery_id: 1, setting_id: 1, reason: expect.stringContaining('404') } },
    ]);
  });

  it('does not send for a channel that was disabled since', async () => {
    await world.create();
    world.sink.fault = new Error('down');
    await world.happen('backup_failure');
    await settle();
    world.sink.fault = null;
    await world.update(1, { enabled: false });
    world.clock.advance(5_000);
    await settle();
    expect(await world.rows()).toMatchObject([{ status: 'parked', last_error: /switched off/ }]);
    expect(world.sink.got).toEqual([]);
  });

  it('is done by one of several instances', async () => {
    const other = world.startRunner('two');
    onTestFinished(() => other.stop(0));
    await world.create();
    for (let n = 0; n < 20; n++) await world.happen('backup_failure', n % 4);
    await Promise.all([settle(), lookOften(other)]);
    expect(world.sink.got).toHaveLength(20);
    expect(new Set(world.sink.got.map(({ id }) => id)).size).toBe(20);
  });

  it('is taken over from an instance that vanished, under the same id', async () => {
    await world.create();
    let open = () => {};
    world.sink.gate = new Promise((resolve) => {
      open = resolve;
    });
    await world.happen('backup_failure');
    await settle();
    const other = world.startRunner('two');
    onTestFinished(() => other.stop(0));
    await lookOften(other);
    expect((await world.rows())[0]?.attempts).toBe(1);
    world.clock.advance(26_000);
    world.sink.gate = null;
    await lookOften(other);
    expect(await world.rows()).toMatchObject([{ status: 'delivered', owner: null, attempts: 2 }]);
    open();
    await settle();
    expect(new Set(world.sink.got.map(({ id }) => id)).size).toBe(1);
    expect(await statuses()).toEqual(['delivered']);
  });

  it('stops with the service and keeps the message', async () => {
    await world.create();
    world.sink.gate = new Promise(() => {});
    await world.happen('backup_failure');
    await instance.look();
    await instance.stop(0);
    expect(await world.rows()).toMatchObject([
      {
        status: 'pending',
        owner: null,
        lease_until: null,
        last_error: null,
        next_attempt_at: world.clock.now(),
      },
    ]);
  });
});
