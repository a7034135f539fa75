import { newRepository, repositoryChanges, repositoryToImport } from '@holdfast/contracts';
import type { Dependencies } from '../../src/app/app.js';
import { forgetInMaintenance, recallInMaintenance } from '../../src/backup/maintenance/index.js';
import { withoutRemoved } from '../../src/backup/repositories/removed-repositories.js';
import { repositories } from '../../src/backup/repositories/tables.js';
import { repositoriesUseCases } from '../../src/backup/repositories/use-cases.js';
import { forgetInSchedules, recallInSchedules } from '../../src/backup/schedules/index.js';
import type { JobStatus } from '../../src/engine/jobs/job.rules.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { makeEventBus } from '../../src/foundation/events/event-bus.js';
import { events } from '../../src/foundation/events/tables.js';
import { forgetInNotifications, recallInNotifications } from '../../src/insight/notifications/index.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { plainRedactor } from '../fakes/plain-redactor.js';
import { silentLog } from '../fakes/silent-log.js';
import { fakeDriver } from './fake-driver.js';
import { fakeFiles } from './fake-files.js';

/** Use cases of the area over fakes, with `/backups` and `/home` on the disk. */
export function makeWorld() {
  const files = fakeFiles();
  files.add('/backups', 'directory');
  files.add('/data', 'directory');
  files.add('/home/operator', 'directory');
  const clock = manualClock();
  const log = silentLog();
  const stored = memoryStorage();
  const storage = withoutRemoved(stored);
  const driver = fakeDriver(files);
  const redactor = plainRedactor();
  const secrets = {
    seal: (purpose: string, plain: string) => `sealed:${purpose}:${Buffer.from(plain).toString('base64')}`,
    open(purpose: string, envelope: string) {
      if (!envelope.startsWith(`sealed:${purpose}:`)) throw new Error('sealed for another purpose');
      return Buffer.from(envelope.slice(`sealed:${purpose}:`.length), 'base64').toString();
    },
  };
  const bus = makeEventBus({ clock, log });
  const settings = { dataDirectory: '/data' };
  // Only what the area asks for.
  const dependencies = {
    files,
    clock,
    log,
    storage,
    driver,
    redactor,
    secrets,
    events: bus,
    settings,
    lanes: { withLane: (_id: number, _what: string, work: () => Promise<void>) => work() },
  } as unknown as Dependencies;
  const useCases = repositoriesUseCases(dependencies, {
    forget: [forgetInSchedules, forgetInMaintenance, forgetInNotifications],
    recall: [recallInSchedules, recallInMaintenance, recallInNotifications],
  });

  return {
    files,
    clock,
    log,
    storage,
    stored,
    driver,
    redactor,
    dependencies,
    ...useCases,
    create: (extra: object = {}) =>
      useCases.createRepository(
        newRepository.passthrough().parse({ ...usual, passphrase: 'correct horse', ...extra }),
      ),
    import: (extra: object = {}) =>
      useCases.importRepository(repositoryToImport.passthrough().parse({ ...usual, ...extra })),
    update: (id: number, changes: object) =>
      useCases.updateRepository(id, repositoryChanges.passthrough().parse(changes)),
    row: async (id: number) => (await storage.find(repositories, { where: { id } }))[0],
    rows: () => storage.find(repositories),
    eventKinds: async () => (await storage.find(events)).map((event) => event.kind),
    async addJob(repositoryId: number, status: JobStatus, kind: 'backup' | 'check' = 'backup') {
      return storage.insert(jobs, {
        kind,
        status,
        repository_id: repositoryId,
        repository_path: '/p',
        repository_name: 'n',
        requested_by: 'admin',
        requested_at: clock.now(),
        parameters: {},
        progress: noProgress,
      });
    },
  };
}

const usual = { name: 'home', path: '/backups/home', source_directories: ['/home'] };
