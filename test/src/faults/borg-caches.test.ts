/** borg's caches on the disk of the data folder, while it has plenty of room, then little, then plenty again. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, createRepository, passphrase, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';
import { noMounts, SmallDisk } from './small-disk.js';

describe.skipIf(noMounts)(noMounts ?? 'the caches of borg', () => {
  const workspace = makeWorkspace();
  const source = workspace.folder('source');
  let disk: SmallDisk;
  let server: TestServer;
  let api: Api;
  let repository: Repository;
  let other: Borg;
  let writes = 0;

  beforeAll(async () => {
    // Room that nobody uses takes no memory.
    disk = await SmallDisk.mount(workspace.folder('data'), 8_000);
    server = await TestServer.start({ workspace, wrapper: disk.wrapper, env: { DATABASE_URL: undefined } });
    api = await server.login();
    makeFiles(source, 200);
    const path = join(workspace.path, 'repository');
    repository = await createRepository(api, { name: 'r', path, source_directories: [source] });
    other = new Borg(path, workspace.folder('by-hand'), { passphrase });
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    await disk?.remove();
    await server?.remove();
  });

  const folders = () => join(disk.seen, 'plugin-data', 'driver-borg');
  /** Of the tool's own caches: those of the service's folders are named by the uid of the repository. */
  const cacheFolder = () => {
    const [found] = readdirSync(folders(), { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.cache\/borg\/[^/]+$/.test(name) && lstatSync(join(folders(), name)).isDirectory(),
    );
    return join(folders(), found ?? 'none');
  };
  const indexes = () => join(cacheFolder(), 'chunks.archive.d');

  /** After somebody else wrote, borg has to bring its cache up to date with that archive. */
  async function backUpAfterOthers(): Promise<void> {
    writes += 1;
    await other.create(`by-hand-${writes}`, Date.now(), { source });
    makeFiles(join(source, `more-${writes}`), 50);
    const job = await backUp(api, repository.path);
    expect([job.status, job.error_message]).toEqual(['completed', null]);
    await other.extract(job.archive_name ?? '', workspace.folder(`out-${writes}`));
  }

  test('drop the indexes of archives without enough space, and backups continue', async () => {
    await backUpAfterOthers();
    await backUpAfterOthers();
    expect(readdirSync(indexes())).not.toEqual([]);
    disk.remount('size=1500m');
    await backUpAfterOthers();
    expect(lstatSync(indexes()).isFile()).toBe(true);
    await backUpAfterOthers();
    expect(lstatSync(indexes()).isFile()).toBe(true);
  });

  test('keep the indexes again with enough space', async () => {
    disk.remount('size=8000m');
    await backUpAfterOthers();
    await backUpAfterOthers();
    expect(readdirSync(indexes())).not.toEqual([]);
  });

  test('are removed with the repository', async () => {
    const cache = cacheFolder();
    expect((await api.delete(`/api/repositories/${repository.id}`)).status).toBe(200);
    await waitFor(() => lstatSync(cache, { throwIfNoEntry: false }) === undefined, {
      what: 'a removed cache',
    });
  });
});
