/** Archives of pulls that 0.1.0 made with borg before 1.2.5: found, signed by one job, and restored. */
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archived, passphrase } from '../actions.js';
import type { Api } from '../api.js';
import { endedMaintenance } from '../maintenance.js';
import { Borg } from '../oracles/borg.js';
import { contentOnly, endedRestore, snapshot } from '../restore.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { makeWorkspace } from '../workspace.js';

const newer = process.env.HOLDFAST_BORG_14;
const names = ['pull-1', 'pull-2'];

describe.each([['1.2'], ...(newer ? [['1.4']] : [])])(
  'archives of pulls of before, with borg %s',
  (version) => {
    const workspace = makeWorkspace();
    const source = workspace.folder('source');
    const borg = new Borg(join(workspace.path, 'repository'), workspace.folder('by-hand'), { passphrase });
    const repository = { path: borg.repository, id: 0 };
    let server: TestServer;
    let api: Api;
    const get = async (path: string) => (await api.get(path)).body;
    const pathWith = (program?: string) => {
      if (program === undefined) return { PATH: process.env.PATH };
      const bin = workspace.folder('newer');
      if (!existsSync(join(bin, 'borg'))) symlinkSync(program, join(bin, 'borg'));
      return { PATH: [bin, process.env.PATH].join(delimiter) };
    };
    const use = async (program?: string) => {
      Object.assign(server.options.env ?? {}, pathWith(program));
      await server.restart();
    };

    beforeAll(async () => {
      makeFiles(source, 5);
      const { path } = repository;
      await borg.run('init', '--encryption=repokey', path);
      for (const name of names) {
        const tar = join(workspace.path, 'tar');
        execFileSync('tar', ['-c', '-f', tar, '-C', '/', archived(source)]);
        await borg.run('import-tar', '--comment=pulled', `${path}::${name}.checkpoint`, tar);
        await borg.run('rename', `${path}::${name}.checkpoint`, name);
      }
      server = await TestServer.start({ workspace, env: pathWith() });
      api = await server.login();
      const settings = { name: 'pulls', path, passphrase, source_directories: [source] };
      const imported = await api.post('/api/repositories/import', settings);
      expect(imported.text).toContain('"success":true');
      repository.id = imported.body.repository.id;
      if (version === '1.4') await use(newer);
    }, 120_000);
    afterAll(async () => {
      await server?.stop();
      workspace.remove();
    });

    test('are found, and a repair is refused', async () => {
      const test = await api.post(`/api/repositories/${repository.id}/test`);
      if (version === '1.4') expect(test.body).toMatchObject({ opens: false, code: 'archive_unsigned' });
      const { archives } = await get(`/api/archives/list?repository=${encodeURIComponent(repository.path)}`);
      const { repository: now } = await get(`/api/repositories/${repository.id}`);
      const { attention } = await get('/api/overview');
      if (version === '1.2') {
        expect(archives).toMatchObject(names.map((name) => ({ name, unsigned: true })));
        expect(now).toMatchObject({ unsigned_archives: 2, open_error: null });
        expect(attention).toContainEqual(expect.objectContaining({ cause: 'archives_unsigned' }));
      } else expect(now).toMatchObject({ open_error_kind: 'archive_unsigned' });
      const repair = await api.post(`/api/repositories/${repository.id}/repair`, { confirm_name: 'pulls' });
      const job = await endedMaintenance(api, 'check', repair);
      expect([job.status, job.error_message]).toEqual(['failed', expect.stringMatching(/not signed/)]);
    }, 120_000);

    test('are signed by one job, and restored byte for byte by both', async () => {
      const started = await api.post(`/api/repositories/${repository.id}/sign-archives`);
      const job = await endedMaintenance(api, 'check', started, 240_000);
      expect([job.status, job.error_message]).toEqual(['completed', null]);
      const tree = snapshot(source).map(contentOnly);
      for (const program of [undefined, ...(newer ? [newer] : [])]) {
        await use(program);
        const { repository: now } = await get(`/api/repositories/${repository.id}`);
        expect(now).toMatchObject({ unsigned_archives: 0, open_error: null, archive_count: 2 });
        const isSame = (folder: string) =>
          expect(snapshot(join(folder, archived(source))).map(contentOnly)).toEqual(tree);
        const destination = workspace.folder(`out of ${program ? 'newer' : 'older'}`);
        const asked = { repository: repository.path, archive: names[0], destination };
        const restored = await endedRestore(api, await api.post('/api/restore/start', asked));
        expect([restored.status, restored.error_message]).toEqual(['completed', null]);
        isSame(destination);
        const options = { ...borg.options, ...(program ? { binary: program } : {}) };
        const plain = new Borg(borg.repository, borg.base, options);
        for (const archive of names) {
          const byHand = workspace.folder(`${archive} by hand of ${program ? 'newer' : 'older'}`);
          await plain.extract(archive, byHand);
          isSame(byHand);
        }
        await plain.run('check', '--verify-data', borg.repository);
      }
    }, 600_000);
  },
);
