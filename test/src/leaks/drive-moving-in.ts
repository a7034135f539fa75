import type { Api } from '../api.js';
import { waitFor } from '../wait-for.js';
import { expectStatus } from './drive-accounts.js';
import type { LeakWorld } from './leak-world.js';

interface Existing {
  folder: string;
  path: string;
  passphrase: string;
  key: string;
}

/** A repository that is there and not registered is found, opened, and not registered: with wrong secrets, and with half a key. */
export async function driveMovingIn({ book }: LeakWorld, api: Api, existing: Existing): Promise<void> {
  const { folder, path, passphrase, key } = existing;
  const looking = expectStatus(await api.post('/api/repositories/discover', { path: folder, depth: 2 }), 200);
  const of = `/api/repositories/discover/${looking.body.job_id}`;
  await waitFor(async () => (await api.get(of)).body.status === 'completed', {
    what: 'the end of the discovery',
  });
  const wrong = book.plant('a passphrase that is tried on many');
  expectStatus(await api.post(`${of}/open`, { passphrase: wrong }), 200);
  const half = { path, passphrase, keyfile_content: key.slice(0, -40) };
  expectStatus(await api.post(`${of}/open`, { passphrases: [half] }), 200);
  expectStatus(await api.post(`${of}/open`, { passphrases: [{ ...half, keyfile_content: key }] }), 200);
  const repositories = [half, { path, keyfile_content: key }, { path: `${path}-none` }];
  const many = await api.post('/api/repositories/import-many', { repositories, passphrase: wrong });
  expectStatus(many, 200);
  const taken = { old_archives: 'later', source_directories: ['/srv'] };
  const schedule = { name: 'taken', cron_expression: null };
  expectStatus(await api.post('/api/repositories/1/take-over', { ...taken, schedule }), 400, 404, 409);
}
