import { join } from 'node:path';
import { backUp, createRepository, isTerminal } from '../actions.js';
import type { Api } from '../api.js';
import { endedRestore } from '../restore.js';
import { startPostgres } from '../services/postgres.js';
import { waitFor } from '../wait-for.js';
import { expectStatus } from './drive-accounts.js';
import type { LeakWorld } from './leak-world.js';

/** Backups of a database whose password is right, wrong, or has changed, and a restore of its dump. */
export async function driveSources({ book, server }: LeakWorld, api: Api): Promise<void> {
  const database = await startPostgres();
  try {
    const password = book.plant('the password of a database', 'source');
    database.sql(`CREATE ROLE backup SUPERUSER LOGIN PASSWORD '${password}'`);
    database.sql('CREATE DATABASE shop');
    const settings = { host: '127.0.0.1', port: `${database.port}`, user: 'backup', databases: 'shop' };
    const given = (secret: string) => ({
      kind: 'postgresql',
      name: 'shop',
      settings: { ...settings, password: secret },
    });
    const wrong = given(book.plant('a wrong password of a database', 'source'));
    const masked = given('***');

    expectStatus(await api.get('/api/sources/kinds'), 200);
    expectStatus(await api.post('/api/sources/find', {}), 200);
    for (const source of [given(password), wrong])
      expectStatus(await api.post('/api/sources/check', { source }), 200);
    const odd = { ...wrong, settings: { ...wrong.settings, none: 'of these' } };
    expectStatus(await api.post('/api/sources/check', { source: odd }), 400);

    const sources = [given(password)];
    const shared = { name: 'databases', source_directories: [server.workspace.folder('source')], sources };
    const set = expectStatus(await api.post('/api/source-sets', shared), 201).body.source_set.id;
    expectStatus(await api.put(`/api/source-sets/${set}`, { sources: [masked] }), 200);
    expectStatus(await api.delete(`/api/source-sets/${set}`), 200);

    const path = join(server.workspace.path, 'databases');
    const passphrase = book.plant('the passphrase of a repository with databases', 'passphrase');
    const { id } = await createRepository(api, { name: 'databases', path, passphrase, sources });
    const of = `/api/repositories/${id}`;
    expectStatus(await api.put(of, { sources: [masked] }), 200);
    expectStatus(await api.post('/api/sources/check', { source: masked, repository_id: id }), 200);
    const { status, error_message, archive_name: archive } = await backUp(api, path);
    if (status !== 'completed') throw new Error(`the backup ended with ${status}: ${error_message}`);

    const dump = { repository: path, archive, path: 'holdfast-sources/postgresql/shop/shop.dump' };
    await endedRestore(api, await api.post('/api/restore/dump', { ...dump, into: 'restored' }));
    const elsewhere = { ...dump, into: 'elsewhere', source: wrong };
    await endedRestore(api, await api.post('/api/restore/dump', elsewhere));
    const { job_id } = expectStatus(await api.post(`${of}/drill`), 200).body;
    await waitFor(async () => isTerminal((await api.get(`/api/jobs/${job_id}`)).body.job), {
      what: `the end of drill job ${job_id}`,
    });

    database.sql(`ALTER ROLE backup PASSWORD 'another'`);
    await backUp(api, path);
    expectStatus(await api.put(of, { sources: [wrong] }), 200);
    await backUp(api, path);
  } finally {
    await database.remove();
  }
}
