import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { root } from './root.mjs';
import { step } from './say.mjs';
import { hashOf, removeStamp, runtime, stampIs, writeStamp } from './stamp.mjs';

const lockFile = join(root, 'package-lock.json');
/** npm writes this file at the very end of an installation. */
const installedFile = join(root, 'node_modules', '.package-lock.json');
const stamp = join(root, 'node_modules', '.holdfast-dependencies');
/** Exists during an installation, and after one that was interrupted or failed. */
const unfinished = join(root, '.cache', 'installing');

/** What runs, and what builds it; and all, with the tools that test and check it. */
const sets = {
  service: { usually: '30 s', workspaces: ['--workspace=server', '--workspace=console'] },
  all: { usually: '1 min', workspaces: [] },
};

const wanted = (set) => `${runtime}\n${set}\n${hashOf([readFileSync(lockFile)])}`;
const isInstalled = (set) =>
  existsSync(installedFile) && !existsSync(unfinished) && stampIs(stamp, wanted(set));

export const dependenciesReady = () => isInstalled('all');
export const serviceReady = () => isInstalled('service') || dependenciesReady();

export const installService = () => installSet('service', serviceReady);
export const installDependencies = () => installSet('all', dependenciesReady);

/** Installs what package-lock.json lists, unless it is installed. An interrupted installation is repeated. */
async function installSet(set, isReady) {
  if (isReady()) return;
  if (isUsable() && hasAll()) return writeStamp(stamp, wanted('all'));
  await step(set === 'all' ? 'Packages, with tools' : 'Packages', sets[set].usually, () => install(set));
  writeStamp(stamp, wanted(set));
}

/** False after an interrupted installation, and for one of another kind of machine. */
const isUsable = () =>
  existsSync(installedFile) &&
  !existsSync(unfinished) &&
  (!existsSync(stamp) || readFileSync(stamp, 'utf8').startsWith(`${runtime}\n`));

const packagesIn = (file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages);

/** True if everything was installed by hand. */
function hasAll() {
  const installed = Object.fromEntries(packagesIn(installedFile));
  return packagesIn(lockFile)
    .filter(([path, entry]) => path.startsWith('node_modules/') && !entry.optional && !entry.peer)
    .every(([path, entry]) =>
      entry.link ? existsSync(join(root, path)) : installed[path]?.version === entry.version,
    );
}

/** Only `npm ci` is sure to repair, but it removes all that is there, and with it the compiled database driver. */
async function install(set) {
  const options = ['--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', ...sets[set].workspaces];
  const adds = isUsable();
  writeStamp(unfinished, 'npm');
  if (!adds || !(await addsWith(options))) await npm(['ci', ...options]);
  removeStamp(unfinished);
}

/** Adds what is missing, and leaves the lock file alone. False if another version came than that of the lock file. */
async function addsWith(options) {
  await npm(['install', '--no-save', ...options]);
  const locked = Object.fromEntries(packagesIn(lockFile));
  return packagesIn(installedFile).every(([path, { version }]) => locked[path]?.version === version);
}
