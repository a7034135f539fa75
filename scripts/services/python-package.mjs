import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findProgram, run } from '../prepare/run.mjs';
import { say } from '../prepare/say.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast');

/**
 * A folder for PYTHONPATH with a package and its dependencies, stored in a cache folder.
 * @param {string} wanted in pip's notation, `name==1.2.3`; several separated by a space
 * @param {{ module: string, compiled?: boolean, alone?: boolean }} what its import name; whether it works with only one
 * version of Python; whether it is only read, and so comes without its dependencies
 */
export async function pythonPackage(wanted, { module, compiled = false, alone = false }) {
  if (!findProgram('python3')) await installPip();
  const folder = await folderOf(wanted, compiled);
  if (!existsSync(join(folder, module))) await install(wanted, { folder, module, alone });
  return folder;
}

async function folderOf(wanted, compiled) {
  const name = wanted.replaceAll('==', '-').replaceAll(' ', '-');
  if (!compiled) return join(cache, name);
  const { code, output } = await python(['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']);
  if (code !== 0) throw new Error(`python3 does not answer (${lastLine(output)}).`);
  return join(cache, `${name}-python${output.trim()}`);
}

/**
 * Created beside its final location and renamed at the end, so that concurrent or aborted runs leave nothing half
 * done.
 */
async function install(wanted, { folder, module, alone }) {
  if ((await python(['-m', 'pip', '--version'])).code !== 0) await installPip();
  if (process.env.HOLDFAST_NO_INSTALL === '1') throw new Error('HOLDFAST_NO_INSTALL=1 forbids fetching it.');
  say(`Fetching ${wanted} to ${folder}`);
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(`${folder}.making-`);
  try {
    const choice = ['--quiet', '--only-binary', ':all:', '--disable-pip-version-check', '--target', made];
    if (alone) choice.push('--no-deps');
    const { code, output } = await python(['-m', 'pip', 'install', ...choice, ...wanted.split(' ')]);
    if (code !== 0) throw new Error(`pip install ${wanted} exited with ${code} (${lastLine(output)}).`);
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(join(folder, module))) throw error;
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

export const python = (parameters, options = {}) => run('python3', parameters, { quiet: true, ...options });
export const lastLine = (output) => output.trim().split('\n').at(-1) || 'no output';
