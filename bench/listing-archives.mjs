import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { archiveStream } from './archive-stream.mjs';
import { passphrase } from './service.mjs';

/** Increased when the archives change. */
const edition = 1;

/**
 * A repository with `archives` archives of `files` files; one file in a hundred changes from one archive to the next.
 * With `filesInFolder`, its folders have so many. Created once and cached in the user's cache folder (or BENCH_ARCHIVES), because it takes some minutes.
 */
export async function repositoryOf({ files, archives, filesInFolder, say }) {
  const cache =
    process.env.BENCH_ARCHIVES || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast');
  const folder = join(
    cache,
    `archives-${edition}-${archives}x${files}${filesInFolder ? `-in-${filesInFolder}` : ''}`,
  );
  if (!existsSync(folder)) {
    say(`making ${archives} archives of ${files} files in ${folder}, once`);
    mkdirSync(cache, { recursive: true });
    const making = mkdtempSync(`${folder}.making-`);
    try {
      await fill(making, { files, archives, filesInFolder });
      renameSync(making, folder);
    } catch (error) {
      rmSync(making, { recursive: true, force: true });
      throw error;
    }
  }
  return { base: join(folder, 'base'), repository: join(folder, 'repository') };
}

async function fill(folder, { files, archives, filesInFolder }) {
  const base = join(folder, 'base');
  const repository = join(folder, 'repository');
  mkdirSync(base);
  await borg(base, ['init', '--encryption', 'repokey', repository]);
  for (let version = 0; version < archives; version++) {
    const name = `archive-${String(version).padStart(2, '0')}`;
    await borg(base, ['import-tar', '--compression', 'none', `${repository}::${name}`, '-'], {
      input: archiveStream({ files, version, filesInFolder }),
    });
  }
}

export const borgEnvironment = (base) => ({
  PATH: process.env.PATH,
  HOME: base,
  BORG_BASE_DIR: base,
  BORG_PASSPHRASE: passphrase,
  BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
  PYTHONIOENCODING: 'unicode_escape',
  TZ: 'UTC',
});

/** Runs borg directly. Resolves to the number of bytes that it wrote, which are dropped, and its time in ms. */
export async function borg(base, parameters, { input, environment = {} } = {}) {
  const began = performance.now();
  const child = spawn('borg', parameters, {
    env: { ...borgEnvironment(base), ...environment },
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  let bytes = 0;
  child.stdout.on('data', (piece) => {
    bytes += piece.length;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-2000);
  });
  const ended = once(child, 'close');
  if (input) await pipeline(input, child.stdin);
  const [code] = await ended;
  if (code !== 0) throw new Error(`borg ${parameters[0]} exited with ${code}: ${errors}`);
  return { bytes, ms: performance.now() - began };
}
