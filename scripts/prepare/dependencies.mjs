import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './root.mjs';
import { findProgram, run } from './run.mjs';
import { PrepareError, say } from './say.mjs';
import { hashOf, removeStamp, stampIs, writeStamp } from './stamp.mjs';
import { installWithSystem } from './system-package.mjs';

const lockFile = join(root, 'package-lock.json');
/** npm writes this file at the very end of an installation. */
const installedFile = join(root, 'node_modules', '.package-lock.json');
const stamp = join(root, 'node_modules', '.holdfast-dependencies');
/** Exists during an installation, and after one that was interrupted or failed. */
const unfinished = join(root, '.cache', 'installing');

/** The runtime that native modules were compiled for. */
const runtime = () => [process.platform, process.arch, process.versions.modules].join(' ');
const wanted = () => `${runtime()}\n${hashOf([readFileSync(lockFile)])}`;

export function dependenciesReady() {
  return existsSync(installedFile) && !existsSync(unfinished) && stampIs(stamp, wanted());
}

/** Installs what package-lock.json lists, unless it is installed. An interrupted installation is repeated. */
export async function installDependencies() {
  if (dependenciesReady()) return;
  if (!installedAsLocked()) await install();
  writeStamp(stamp, wanted());
}

/** True if dependencies were installed manually for this runtime, and nothing is missing or of another version. */
function installedAsLocked() {
  if (!existsSync(installedFile) || existsSync(unfinished)) return false;
  if (existsSync(stamp) && !readFileSync(stamp, 'utf8').startsWith(`${runtime()}\n`)) return false;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  const locked = Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages);
  return locked
    .filter(([path, entry]) => path.startsWith('node_modules/') && !entry.optional && !entry.peer)
    .every(([path, entry]) =>
      entry.link ? existsSync(join(root, path)) : installed[path]?.version === entry.version,
    );
}

async function install() {
  say('Installing dependencies (npm ci); the first time this takes a few minutes.');
  writeStamp(unfinished, 'npm ci');
  await installWithNpm();
  removeStamp(unfinished);
}

async function installWithNpm() {
  if ((await npmCi()).code === 0) return;
  const missing = missingBuildTools();
  if (missing.length === 0) {
    throw new PrepareError('npm ci failed: see its output above. The next start tries again.');
  }
  await installWithSystem(`a C++ compiler with make and python3 (missing: ${missing.join(', ')})`, {
    'apt-get': ['g++', 'make', 'python3'],
    dnf: ['gcc-c++', 'make', 'python3'],
    pacman: ['gcc', 'make', 'python'],
    apk: ['g++', 'make', 'python3'],
    zypper: ['gcc-c++', 'make', 'python3'],
  });
  if ((await npmCi()).code !== 0) {
    throw new PrepareError('npm ci failed: see its output above. The next start tries again.');
  }
}

function npmCi() {
  const npm = process.env.npm_execpath;
  const parameters = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const env = { ...nodeHeaders() };
  if (npm && basename(npm).startsWith('npm')) return run(process.execPath, [npm, ...parameters], { env });
  return run('npm', parameters, { env });
}

/** Native modules compile against the headers beside the running node, if they exist, so that nothing is downloaded. */
function nodeHeaders() {
  const prefix = dirname(dirname(process.execPath));
  if (process.env.npm_config_nodedir || !existsSync(join(prefix, 'include', 'node', 'node.h'))) return {};
  return { npm_config_nodedir: prefix };
}

function missingBuildTools() {
  const compilers = ['g++', 'c++', 'clang++'];
  const missing = ['make', 'python3'].filter((name) => !findProgram(name));
  if (!process.env.CXX && !compilers.some(findProgram)) missing.push('g++');
  return missing;
}
