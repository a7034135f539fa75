import { join } from 'node:path';
import { nodeHeaders, npm } from './npm.mjs';
import { root } from './root.mjs';
import { findProgram, run } from './run.mjs';
import { step } from './say.mjs';
import { runtime, stampIs, writeStamp } from './stamp.mjs';
import { installWithSystem } from './system-package.mjs';

const folder = join(root, 'node_modules', 'sqlite3', 'build');
const stamp = join(folder, '.holdfast-driver');

export const driverReady = () => stampIs(stamp, runtime);

/** The database driver is the only package whose install script runs: it fetches or compiles its native part. */
export async function prepareDriver() {
  if (driverReady()) return;
  if (!(await loads())) await step('Database driver', '1 min where it is compiled', install);
  writeStamp(stamp, runtime);
}

async function loads() {
  const { code } = await run(process.execPath, ['-e', "require('sqlite3')"], { quiet: true });
  return code === 0;
}

async function install() {
  const missing = missingBuildTools();
  const rebuild = () => npm(['rebuild', 'sqlite3', '--ignore-scripts=false'], { env: compilation() });
  if (missing.length === 0) return rebuild();
  // A ready-made part may fit, and needs no compiler.
  if (
    await rebuild().then(
      () => true,
      () => false,
    )
  )
    return;
  await installWithSystem(`a C++ compiler with make and python3 (missing: ${missing.join(', ')})`, {
    'apt-get': ['g++', 'make', 'python3'],
    dnf: ['gcc-c++', 'make', 'python3'],
    pacman: ['gcc', 'make', 'python'],
    apk: ['g++', 'make', 'python3'],
    zypper: ['gcc-c++', 'make', 'python3'],
  });
  await rebuild();
}

/** SQLite's own level of optimization takes three quarters of the time of -O3. */
function compilation() {
  const { JOBS = 'max', CFLAGS = '-O2', CXXFLAGS = '-O2' } = process.env;
  return { ...nodeHeaders(), JOBS, CFLAGS, CXXFLAGS };
}

function missingBuildTools() {
  const compilers = ['g++', 'c++', 'clang++'];
  const missing = ['make', 'python3'].filter((name) => !findProgram(name));
  if (!process.env.CXX && !compilers.some(findProgram)) missing.push('g++');
  return missing;
}
