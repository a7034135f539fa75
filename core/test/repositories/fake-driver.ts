import {
  type ArchiveSummary,
  type BackupDriver,
  DriverError,
  type Encryption,
  type RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import type { FakeFiles } from './fake-files.js';

export interface FakeRepository {
  id: string;
  encryption: Encryption;
  passphrase: string | null;
  archives: ArchiveSummary[];
}

/** The operations that registering needs, over repositories in a map by their place. */
export interface FakeDriver extends BackupDriver {
  repositories: Map<string, FakeRepository>;
  calls: string[];
  forgotten: string[];
  /** The next call of the operation rejects with this. */
  failures: Map<string, DriverError>;
  /** Awaited before each listing, to hold it. */
  beforeListing(): Promise<void>;
}

const keyFor = (id: string) => `BORG_KEY ${id}\nkey-material\n`;
const ok = <T>(value: T) => Promise.resolve({ value, warnings: [] });

export function fakeDriver(files: FakeFiles): FakeDriver {
  const repositories = new Map<string, FakeRepository>();
  let made = 0;

  const opened = (target: RepositoryTarget): FakeRepository => {
    const found = repositories.get(target.location);
    if (!found) throw new DriverError('not_a_repository', 'no repository');
    if (found.encryption.startsWith('keyfile') && target.keyFile !== keyFor(found.id)) {
      throw new DriverError('key_missing', 'no key');
    }
    if (found.passphrase !== target.passphrase) throw new DriverError('passphrase_wrong', 'wrong passphrase');
    return found;
  };

  const fake = {
    repositories,
    calls: [] as string[],
    forgotten: [] as string[],
    failures: new Map<string, DriverError>(),
    beforeListing: () => Promise.resolve(),
    checkCustomFlags: (flags: string[]) =>
      flags.filter((flag) => flag.startsWith('--json')).map((flag) => `${flag} is not allowed.`),
    async init(target: RepositoryTarget, { encryption }: { encryption: Encryption }) {
      begin('init');
      if (repositories.has(target.location)) throw new DriverError('repository_exists', 'exists');
      if (files.below(target.location).length > 0) throw new DriverError('path_not_empty', 'not empty');
      const id = `tool-${++made}`;
      repositories.set(target.location, { id, encryption, passphrase: target.passphrase, archives: [] });
      if (target.location.startsWith('/')) {
        files.add(target.location, 'directory');
        files.add(`${target.location}/config`, 'file');
      }
      return ok({ id, keyFile: encryption.startsWith('keyfile') ? keyFor(id) : null });
    },
    async open(target: RepositoryTarget) {
      begin('open');
      const { id, encryption } = opened(target);
      return ok({ id, encryption, lastModified: null, storedSize: 1631 });
    },
    async listArchives(target: RepositoryTarget) {
      begin('listArchives');
      await fake.beforeListing();
      return ok([...opened(target).archives]);
    },
    async changePassphrase(target: RepositoryTarget, { passphrase }: { passphrase: string }) {
      begin('changePassphrase');
      opened(target).passphrase = passphrase;
      return ok({ keyFile: null });
    },
    async importKey(target: RepositoryTarget, { text }: { text: string }) {
      begin('importKey');
      const id = repositories.get(target.location)?.id;
      if (!text.startsWith(`BORG_KEY ${id}\n`))
        throw new DriverError('usage', 'This key is of another repository.');
      return ok({ keyFile: text });
    },
    async exportKey(target: RepositoryTarget) {
      begin('exportKey');
      return ok({ text: keyFor(opened(target).id) });
    },
    async forget({ uid }: { uid: string }) {
      fake.forgotten.push(uid);
    },
  };

  function begin(operation: string): void {
    fake.calls.push(operation);
    const failure = fake.failures.get(operation);
    fake.failures.delete(operation);
    if (failure) throw failure;
  }
  // The operations that are left out have nothing to do with registering.
  return fake as unknown as FakeDriver;
}

export const archive = (name: string, extra: Partial<ArchiveSummary> = {}): ArchiveSummary => ({
  id: `id-of-${name}`,
  name,
  start: 1000,
  end: 2000,
  comment: '',
  hostname: 'host',
  username: 'user',
  ...extra,
});
