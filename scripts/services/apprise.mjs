import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findProgram, run } from '../prepare/run.mjs';
import { say } from '../prepare/say.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

const wanted = 'apprise==2.2.0';
const cacheRoot = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const folder = join(cacheRoot, 'holdfast', wanted.replace('==', '-'));

/** The notification library itself, for a small server of the tests; kept in a cache folder. */
export const apprise = {
  name: 'Apprise',
  variable: 'TEST_APPRISE, a folder for PYTHONPATH',
  async prepare() {
    const found = process.env.TEST_APPRISE || (await inCache());
    const { code, output } = await python(['-c', 'import apprise; print(apprise.__version__)'], {
      env: { PYTHONPATH: found },
    });
    if (code !== 0) throw new Error(`python3 can't use the one in ${found} (${lastLine(output)}).`);
    return { found: `${output.trim()} in ${found}`, env: { TEST_APPRISE: found } };
  },
};

async function inCache() {
  if (!existsSync(join(folder, 'apprise'))) await install();
  return folder;
}

/** Made beside and renamed at the end: two runs at once, or one that is ended, leave nothing half done. */
async function install() {
  if ((await python(['-m', 'pip', '--version'])).code !== 0) await installPip();
  if (process.env.HOLDFAST_NO_INSTALL === '1') throw new Error('HOLDFAST_NO_INSTALL=1 forbids to fetch it.');
  say(`Fetching ${wanted} to ${folder}`);
  mkdirSync(join(cacheRoot, 'holdfast'), { recursive: true });
  const made = mkdtempSync(`${folder}.making-`);
  try {
    const choice = ['--quiet', '--only-binary', ':all:', '--disable-pip-version-check', '--target', made];
    const { code, output } = await python(['-m', 'pip', 'install', ...choice, wanted]);
    if (code !== 0) throw new Error(`pip install ${wanted} ended with ${code} (${lastLine(output)}).`);
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'apprise'))) throw error;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function installPip() {
  await installWithSystem('Python with pip', {
    'apt-get': ['python3-pip'],
    dnf: ['python3-pip'],
    pacman: ['python-pip'],
    apk: ['py3-pip'],
    zypper: ['python3-pip'],
  });
  if (!findProgram('python3')) throw new Error('python3 was installed but is not on PATH.');
}

const python = (parameters, options = {}) => run('python3', parameters, { quiet: true, ...options });
const lastLine = (output) => output.trim().split('\n').at(-1) || 'no word about it';
