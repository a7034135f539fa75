#!/usr/bin/env node
// Builds borg 1.4.5 from its source package into a cache folder and prints the path of its binary. A finished build
// is reused. Progress goes to stderr, so that stdout contains only the path.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const version = '1.4.5';
const debianPackages = [
  'build-essential',
  'libacl1-dev',
  'liblz4-dev',
  'libssl-dev',
  'libxxhash-dev',
  'libzstd-dev',
  'pkg-config',
  'python3-dev',
  'python3-venv',
];
const cacheRoot = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const folder = join(cacheRoot, 'holdfast', `borg-${version}`);
const binary = join(folder, 'bin', 'borg');

const run = (command, args, env = process.env) =>
  execFileSync(command, args, { stdio: ['ignore', 2, 2], env, timeout: 15 * 60_000 });

function works(path) {
  try {
    const line = execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return line.trim() === `borg ${version}`;
  } catch {
    return false;
  }
}

function installed(name) {
  try {
    const state = execFileSync('dpkg-query', ['-W', '-f', '$' + '{Status}', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return state === 'install ok installed';
  } catch {
    return false;
  }
}

function installHeaders() {
  const missing = debianPackages.filter((name) => !installed(name));
  if (missing.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.env.HOLDFAST_NO_INSTALL === '1' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(
      `borg ${version} needs packages that are not installed: ${missing.join(' ')}. Run: ${command}`,
    );
  console.error(`Installing what the build of borg ${version} needs: ${missing.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-q'], env);
  run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing], env);
}

// A virtual environment can't be moved, so it is created at its final location. It counts as finished once it works.
function build() {
  rmSync(folder, { recursive: true, force: true });
  run('/usr/bin/python3', ['-m', 'venv', folder]);
  run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--no-input', `borgbackup==${version}`]);
  if (!works(binary)) throw new Error(`the built ${binary} is not borg ${version}`);
}

/** Of two concurrent runs, the second waits for the first instead of deleting what it builds. */
async function alone(work) {
  mkdirSync(dirname(folder), { recursive: true });
  const lock = `${folder}.lock`;
  const mine = mkdtempSync(`${folder}.building-`);
  for (let tries = 0; ; tries++) {
    try {
      renameSync(mine, lock);
      break;
    } catch {
      if (works(binary)) return rmSync(mine, { recursive: true, force: true });
      if (tries > 600) throw new Error(`${lock} is held by another build; remove it if no build is running`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  try {
    work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

try {
  if (!works(binary)) {
    installHeaders();
    console.error(`Building borg ${version} in ${folder} (about a minute)`);
    await alone(build);
  }
  console.log(binary);
} catch (error) {
  console.error(`Cannot prepare borg ${version}: ${error.message}`);
  process.exit(1);
}
