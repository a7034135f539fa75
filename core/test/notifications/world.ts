import { newNotificationSetting, notificationSettingChanges } from '@holdfast/contracts';
import type { NotificationMessage, NotificationTransport, StorageBackend } from '@holdfast/plugin-api';
import type { Dependencies } from '../../src/app/app.js';
import { repositories } from '../../src/backup/repositories/tables.js';
import type { NewEvent } from '../../src/foundation/events/event.rules.js';
import { makeEventBus } from '../../src/foundation/events/event-bus.js';
import { fileDeliveries } from '../../src/insight/notifications/event-outbox.js';
import { makeNotifierRegistry } from '../../src/insight/notifications/notifier-registry.js';
import { makeNotificationWorker } from '../../src/insight/notifications/send-delivery.js';
import { deliveries, notificationSettings } from '../../src/insight/notifications/tables.js';
import { notificationsUseCases } from '../../src/insight/notifications/use-cases.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { plainRedactor } from '../fakes/plain-redactor.js';
import { silentLog } from '../fakes/silent-log.js';

const never = 2 ** 31 - 1;
export const admin = { userId: 1, username: 'alice', isAdmin: true, readOnly: false, tokenId: 1 };
export const reader = { ...admin, isAdmin: false };

export interface Receiver extends NotificationTransport {
  got: NotificationMessage[];
  /** Rejects each message with it; null: takes them. */
  fault: Error | null;
  /** While set, messages hang until it settles. */
  gate: Promise<void> | null;
}

export function receiver(schemes = ['json', 'mailto']): Receiver {
  const self: Receiver = {
    schemes,
    got: [],
    fault: null,
    gate: null,
    async send(_url, message) {
      await self.gate;
      if (self.fault) throw self.fault;
      self.got.push(message);
    },
  };
  return self;
}

/** Notifications over a storage, with a clock that the test moves; runners look only when they are told to. */
export function makeWorld(storage: StorageBackend = memoryStorage()) {
  const clock = manualClock();
  const log = silentLog();
  const bus = makeEventBus({ clock, log, fileMessages: fileDeliveries });
  const sink = receiver();
  // Only what the area asks for.
  const dependencies = {
    storage,
    clock,
    log,
    events: bus,
    redactor: plainRedactor(),
    notifiers: makeNotifierRegistry([sink]),
    secrets: {
      seal: (purpose: string, plain: string) => `${purpose}|${Buffer.from(plain).toString('hex')}`,
      open: (purpose: string, sealed: string) => {
        const [bound, hex = ''] = sealed.split('|');
        if (bound !== purpose) throw new Error('sealed for another purpose');
        return Buffer.from(hex, 'hex').toString();
      },
    },
  } as Partial<Dependencies> as Dependencies;
  const useCases = notificationsUseCases(dependencies);
  const startRunner = (instanceId: string) => {
    const timings = { scanEvery: never, renewEvery: never };
    const runner = makeNotificationWorker(dependencies, { instanceId, timings });
    runner.start();
    return runner;
  };

  return {
    storage,
    clock,
    log,
    sink,
    dependencies,
    startRunner,
    ...useCases,
    create: (input: object = {}) =>
      useCases.createSetting(
        newNotificationSetting
          .passthrough()
          .parse({ name: 'ops', service_url: 'json://host/hook', ...input }),
      ),
    update: (id: number, input: object) =>
      useCases.updateSetting(id, notificationSettingChanges.passthrough().parse(input)),
    addRepository: (name: string) =>
      storage.insert(repositories, {
        uid: `uid-${name}`,
        tool_id: `tool-${name}`,
        name,
        path: `/backups/${name}`,
        mode: 'full',
        encryption: 'none',
        compression: 'lz4',
        source_directories: ['/home'],
        exclude_patterns: [],
        created_at: 0,
        updated_at: 0,
      }),
    async happen(kind: NewEvent['kind'], repositoryId: number | null = 1, data: object = {}) {
      const event = { kind, repositoryId, jobId: null, data: { repository_name: 'home', ...data } };
      bus.announce([await storage.transaction((session) => bus.record(session, event))]);
    },
    rows: () => storage.find(deliveries),
    setting: async (id: number) => (await storage.find(notificationSettings, { where: { id } }))[0],
  };
}
export type World = ReturnType<typeof makeWorld>;

/** Lets all that is due happen. */
export async function lookOften(runner: ReturnType<World['startRunner']>): Promise<void> {
  for (let turn = 0; turn < 300; turn++) await runner.look();
}
