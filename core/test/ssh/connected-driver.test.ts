import { Readable } from 'node:stream';
import {
  type BackupDriver,
  DriverError,
  isDriverError,
  type RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import { beforeEach, describe, expect, test } from 'vitest';
import { connectedDriver } from '../../src/backup/ssh/connected-driver.js';
import { sshConnections } from '../../src/backup/ssh/tables.js';
import { keyA, keyB } from './fake-host.js';
import { makeWorld } from './world.js';

let world: ReturnType<typeof makeWorld>;
let seen: RepositoryTarget[];
let failure: DriverError | null;
let driver: BackupDriver;

const local = { uid: 'u', location: '/r', passphrase: null, keyFile: null, remoteToolPath: null };
const remote = { ...local, location: 'ssh://backup@nas.example.org:22/r', connectionId: 1 };
const connection = async () => (await world.connections())[0];

beforeEach(async () => {
  world = makeWorld();
  await world.setUp();
  [seen, failure] = [[], null];
  const take = (target: RepositoryTarget) => {
    seen.push(target);
    if (failure) throw failure;
  };
  const inner = {
    async open(target: RepositoryTarget) {
      take(target);
      return { value: 'opened', warnings: [] };
    },
    async *listEntries(target: RepositoryTarget) {
      yield [{ path: 'a' }];
      take(target);
    },
    readFile: (target: RepositoryTarget) =>
      Readable.from(
        (async function* () {
          yield Buffer.from('content');
          take(target);
        })(),
        { objectMode: false },
      ),
    lockHolder: async () => 'somebody',
  } as unknown as BackupDriver;
  driver = connectedDriver(inner, world.dependencies);
});

const refused = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it was not refused'),
    (error) => (isDriverError(error) ? error : expect.unreachable(`no DriverError: ${error}`)),
  );

describe('a repository on another host', () => {
  test('is reached with the key and the pinned host key as they are now', async () => {
    expect(await driver.open(remote, {})).toMatchObject({ value: 'opened' });
    expect(seen[0]?.transport).toMatchObject({
      connectionId: 1,
      keyFile: '/ssh/key',
      knownHostsFile: '/known/1',
      hostKeyAlias: 'holdfast-1',
      fingerprint: expect.stringMatching(/^SHA256:/),
    });
    expect(world.disk.hostKeys.get(1)).toBe(keyA);
  });

  test('uses the key for streams and reports their failures', async () => {
    const paths: string[] = [];
    for await (const entries of driver.listEntries(remote, { archive: 'a' }))
      paths.push(...entries.map(({ path }) => path));
    expect(paths).toEqual(['a']);
    expect(await driver.readFile(remote, { archive: 'a', path: 'a' }).toArray()).toHaveLength(1);
    expect(seen.every(({ transport }) => transport?.connectionId === 1)).toBe(true);
    failure = new DriverError('archive_missing', 'gone');
    const failed = await refused(driver.readFile(remote, { archive: 'a', path: 'a' }).toArray());
    expect(failed.kind).toBe('archive_missing');
  });

  test('use brings the status up to date', async () => {
    await world.storage.update(sshConnections, { id: 1 }, { status: 'failed', error_message: 'x' });
    await driver.open(remote, {});
    expect(await connection()).toMatchObject({ status: 'connected', error_message: null });
    failure = new DriverError('passphrase_wrong', 'no');
    await world.storage.update(sshConnections, { id: 1 }, { status: 'failed' });
    await refused(driver.open(remote, {}));
    expect(await connection()).toMatchObject({ status: 'connected' });
  });

  test('tests the connection after a failure that it may have caused', async () => {
    failure = new DriverError('connection', 'the line went dead');
    expect((await refused(driver.open(remote, {}))).message).toBe('the line went dead');
    expect(await connection()).toMatchObject({ status: 'connected' });
    world.host.failing = 'unreachable';
    expect((await refused(driver.open(remote, {}))).message).toBe('the line went dead');
    expect(await connection()).toMatchObject({ status: 'failed', error_message: expect.any(String) });
  });

  test('reports both fingerprints of a changed host key and keeps the offered one', async () => {
    world.host.hostKey = keyB;
    failure = new DriverError('host_key_changed', 'ssh refused');
    const error = await refused(driver.open(remote, {}));
    expect(error.kind).toBe('host_key_changed');
    expect(error.message.match(/SHA256:/g)).toHaveLength(2);
    expect(await connection()).toMatchObject({ status: 'host_key_changed', offered_host_key: keyB });
  });

  test('reports a missing connection', async () => {
    for (const connectionId of [null, 4711]) {
      const error = await refused(driver.open({ ...remote, connectionId }, {}));
      expect(error.message).toMatch(/connection/);
    }
    expect(seen).toEqual([]);
  });
});

test('passes a local repository through unchanged', async () => {
  await driver.open(local, {});
  expect(seen).toEqual([local]);
  expect(await driver.lockHolder(remote)).toBe('somebody');
  expect(driver.check).toBeUndefined();
});
