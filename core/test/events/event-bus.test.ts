import { describe, expect, it } from 'vitest';
import { makeEventBus } from '../../src/foundation/events/event-bus.js';
import { events } from '../../src/foundation/events/tables.js';
import { fileDeliveries } from '../../src/insight/notifications/event-outbox.js';
import { notificationSettings } from '../../src/insight/notifications/tables.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { silentLog } from '../fakes/silent-log.js';

function open() {
  const log = silentLog();
  return {
    log,
    storage: memoryStorage(),
    bus: makeEventBus({ clock: manualClock(1_000), log, fileMessages: fileDeliveries }),
  };
}

const backupStart = { kind: 'backup_start', repositoryId: 1, jobId: 2, data: { a: 1 } } as const;

describe('the event bus', () => {
  it('writes an event with the change that it reports, or not at all', async () => {
    const { bus, storage } = open();
    await expect(
      storage.transaction(async (session) => {
        await bus.record(session, backupStart);
        throw new Error('the change failed');
      }),
    ).rejects.toThrow('the change failed');
    expect(await storage.find(events)).toEqual([]);
    const row = await storage.transaction((session) => bus.record(session, backupStart));
    expect(row).toEqual({
      id: 1,
      kind: 'backup_start',
      at: 1_000,
      repository_id: 1,
      job_id: 2,
      data: { a: 1 },
      seq: null,
    });
  });

  it('calls followers of the kind until they unsubscribe', async () => {
    const { bus, storage } = open();
    const heard: string[] = [];
    const stop = bus.follow(['backup_start'], (event) => void heard.push(`one ${event.kind}`));
    bus.follow(['backup_success'], (event) => void heard.push(`two ${event.kind}`));
    const event = await bus.record(storage, backupStart);
    bus.announce([event]);
    stop();
    bus.announce([event]);
    expect(heard).toEqual(['one backup_start']);
  });

  it('reports whether a channel may want a message', async () => {
    const { bus, storage } = open();
    const heard: boolean[] = [];
    bus.follow(['backup_start'], (_, mayHaveMessages) => void heard.push(mayHaveMessages));
    bus.announce([await bus.record(storage, backupStart)]);
    await storage.insert(notificationSettings, {
      uid: 'u',
      name: 'n',
      service_url: 'sealed',
      scheme: 'json',
      monitor_all_repositories: true,
      enabled: true,
      created_at: 0,
      updated_at: 0,
    });
    bus.announce([await bus.record(storage, backupStart)]);
    expect(heard).toEqual([false, true]);
  });

  it('continues when a follower fails, and logs it', async () => {
    const { bus, storage, log } = open();
    const heard: number[] = [];
    bus.follow(['backup_start'], () => {
      throw new Error('at once');
    });
    bus.follow(['backup_start'], () => Promise.reject(new Error('later')));
    bus.follow(['backup_start'], ({ id }) => void heard.push(id));
    bus.announce([await bus.record(storage, backupStart)]);
    await Promise.resolve();
    expect(heard).toEqual([1]);
    expect(log.entries.map(({ level }) => level)).toEqual(['error', 'error']);
  });
});
