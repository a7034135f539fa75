import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { lookOften, makeWorld, type World } from './world.js';

let world: World;
let instance: ReturnType<World['startRunner']>;
beforeEach(() => {
  world = makeWorld();
  instance = world.startRunner('one');
  onTestFinished(() => instance.stop(0));
});

const settle = () => lookOften(instance);
const titles = () => world.sink.got.map(({ title }) => title);
const statuses = async () => (await world.rows()).map(({ status }) => status);

describe('grouped failures', () => {
  const failed = (error_message: string, repository = 1) =>
    world.happen('backup_failure', repository, { error_message, schedule_id: 3 });
  beforeEach(() => world.create({ failure_grouping_minutes: 60, notify_on_backup_warning: false }));

  it('are sent as one message with a count after the interval', async () => {
    for (const job of [1, 2, 3]) await failed(`Job ${job}: the disk is full.`);
    await settle();
    expect(await statuses()).toEqual(['collecting']);
    world.clock.advance(3_600_000);
    await settle();
    expect(titles()).toEqual(['❌ Backup failed (3 times)']);
    expect(world.sink.got[0]?.body).toContain('Error: Job 3: the disk is full.');
    await failed('The disk is full.');
    expect(await statuses()).toEqual(['delivered', 'collecting']);
  });

  it('are grouped by repository and reason', async () => {
    await failed('The disk is full.');
    await failed('No rights.');
    await failed('The disk is full.', 2);
    expect(await statuses()).toEqual(['collecting', 'collecting', 'collecting']);
  });

  it('send one recovery message immediately', async () => {
    await failed('The disk is full.');
    await failed('The disk is full.');
    await world.happen('backup_success');
    await settle();
    await world.happen('backup_success');
    await settle();
    expect(titles()).toEqual(['❌ Backup failed (2 times)', '✅ Backup works again']);
  });

  it('are retried as long as others, regardless of the grouping time', async () => {
    await world.update(1, { failure_grouping_minutes: 3 * 24 * 60 });
    await failed('The disk is full.');
    world.clock.advance(3 * 24 * 3_600_000);
    world.sink.fault = new Error('down');
    await settle();
    expect((await world.rows()).map(({ status, attempts }) => [status, attempts])).toEqual([['pending', 1]]);
    world.sink.fault = null;
    world.clock.advance(5_000);
    await settle();
    expect(titles()).toEqual(['❌ Backup failed']);
  });

  it('do not hold back other messages', async () => {
    await failed('The disk is full.');
    await world.happen('restore_failure', 2);
    await world.update(1, { failure_grouping_minutes: 0 });
    await world.happen('restore_failure');
    await settle();
    expect(titles()).toEqual(['❌ Restore failed']);
  });

  it('ends the failures of a schedule with its next backup', async () => {
    await world.happen('schedule_failure', null, { schedule_id: 3, error_message: 'gone' });
    await world.happen('backup_warning', 1, { schedule_id: 4 });
    expect(await statuses()).toEqual(['collecting']);
    await world.happen('backup_success', 1, { schedule_id: 3 });
    world.sink.fault = new Error('down');
    await settle();
    expect((await world.rows()).map(({ attempts }) => attempts)).toEqual([1, 0]);
    world.sink.fault = null;
    world.clock.advance(5_000);
    await settle();
    expect(titles()).toEqual(['❌ Scheduled backup failed', '✅ Scheduled backup works again']);
  });

  it('are off by default: each failure is a message', async () => {
    await world.deleteSetting(1);
    await world.create();
    for (let n = 0; n < 3; n++) await failed('The disk is full.');
    await settle();
    expect(titles()).toEqual(['❌ Backup failed', '❌ Backup failed', '❌ Backup failed']);
  });
});
