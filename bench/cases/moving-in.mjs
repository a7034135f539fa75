import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { infoBare } from '../bare-borg.mjs';
import { passphrase, peakMemory, signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { megabytes } from '../statistics.mjs';

const run = promisify(execFile);
const settleMs = 3000;

/** Finding repositories among very many folders, and registering many with one passphrase. */
export async function movingIn({ folder, say }) {
  const dataDirectory = join(folder, 'moving-in-data');
  const tree = join(folder, 'moving-in-tree');
  mkdirSync(dataDirectory);
  const { found, folders, imported } = settings;
  say(`making ${found} repositories among ${folders} folders, and ${imported} to register`);
  makeTree(tree, { found, folders });
  const stores = await makeStores(join(folder, 'moving-in-stores'), imported);
  const service = await startService(dataDirectory);
  try {
    const api = await signIn(service.url);
    await api.get('/api/repositories/');
    await pause(settleMs);
    const idle = service.memory();
    const looking = discovery(api, tree);
    const peak = await peakMemory(service, looking);
    const { seconds, total } = await looking;
    if (total !== found) throw new Error(`${total} repositories were found`);
    const bare = await inTurn(stores);
    const began = performance.now();
    const repositories = stores.paths.map((path) => ({ path }));
    const { created_count } = await api.post('/api/repositories/import-many', { repositories, passphrase });
    if (created_count !== imported) throw new Error(`${created_count} repositories were registered`);
    const took = performance.now() - began;
    say(`borg info on each in turn ${(bare / 1000).toFixed(1)} s, import ${(took / 1000).toFixed(1)} s`);
    const what = `discovery of ${found} repositories among ${folders} folders`;
    const ratio = took / bare;
    return [
      { what, measured: `${seconds.toFixed(1)} s`, limit: '20.0 s', passed: seconds <= 20 },
      {
        what: `resident memory above idle, ${what}`,
        measured: megabytes(peak - idle),
        limit: megabytes(30e6),
        passed: peak - idle <= 30e6,
      },
      {
        what: `import of ${imported} repositories ÷ borg info on each in turn`,
        measured: ratio.toFixed(2),
        limit: '1.20',
        passed: ratio <= 1.2,
      },
    ];
  } finally {
    await service.stop();
  }
}

/** The layout of a repository is all that a discovery reads. */
function makeTree(tree, { found, folders }) {
  const perShelf = 1000;
  const every = Math.floor(folders / found);
  for (let n = 0; n < folders; n++) {
    const path = join(tree, `shelf-${Math.floor(n / perShelf)}`, `folder-${n}`);
    mkdirSync(path, { recursive: true });
    if (n % every !== 0 || n / every >= found) continue;
    mkdirSync(join(path, 'data', '0'), { recursive: true });
    writeFileSync(join(path, 'data', '0', '1'), '');
    writeFileSync(join(path, 'README'), 'This is a Borg Backup repository.\n');
    writeFileSync(
      join(path, 'config'),
      `[repository]\nversion = 1\nid = ${n.toString(16).padStart(64, '0')}\n`,
    );
  }
}

/** Copies of one repository, each with a folder of its own for the caches of the tool that measures. */
async function makeStores(folder, count) {
  const env = (base) => ({
    PATH: process.env.PATH,
    BORG_BASE_DIR: base,
    BORG_PASSPHRASE: passphrase,
    BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
  });
  const original = join(folder, 'original');
  const source = join(folder, 'source');
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'file'), 'content');
  const base = join(folder, 'base');
  await run('borg', ['init', '--encryption=repokey', original], { env: env(base) });
  for (const name of ['a-1', 'a-2', 'a-3'])
    await run('borg', ['create', `${original}::${name}`, source], { env: env(base) });
  const paths = Array.from({ length: count }, (_, n) => join(folder, 'stores', `store-${n}`));
  for (const path of paths) cpSync(original, path, { recursive: true });
  const info = (path, n) => infoBare(join(folder, `base-${n}`), path);
  return { paths, info };
}

async function inTurn({ paths, info }) {
  const began = performance.now();
  for (const [n, path] of paths.entries()) await info(path, n);
  return performance.now() - began;
}

async function discovery(api, path) {
  const began = performance.now();
  const { job_id } = await api.post('/api/repositories/discover', { path });
  for (;;) {
    const { job } = await api.get(`/api/jobs/${job_id}`);
    if (job.completed_at !== null) {
      if (job.status !== 'completed') throw new Error(`the discovery is ${job.status}`);
      const { total } = await api.get(`/api/repositories/discover/${job_id}`);
      return { seconds: (performance.now() - began) / 1000, total };
    }
    await pause(500);
  }
}
