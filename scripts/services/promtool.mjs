import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findProgram, run } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast', 'prometheus');

/** Prometheus' own judge of metrics and rules. */
export const promtool = {
  name: 'promtool',
  variable: 'HOLDFAST_PROMTOOL',
  async prepare() {
    const found = process.env.HOLDFAST_PROMTOOL || findProgram('promtool') || (await fetched());
    const { code, output } = await run(found, ['--version'], { quiet: true });
    if (code !== 0) throw new Error(`${found} does not answer (${output.trim() || `exit code ${code}`}).`);
    return { found, env: { HOLDFAST_PROMTOOL: found } };
  },
};

async function fetched() {
  const unpacked = join(cache, 'usr', 'bin', 'promtool');
  if (existsSync(unpacked)) return unpacked;
  if (findProgram('apt-get') && findProgram('dpkg-deb')) return unpack(unpacked);
  await installWithSystem('promtool', {
    dnf: ['golang-github-prometheus'],
    pacman: ['prometheus'],
    apk: ['prometheus'],
    zypper: ['golang-github-prometheus-prometheus'],
    brew: ['prometheus'],
  });
  const found = findProgram('promtool');
  if (!found) throw new Error('it was installed but is not on PATH.');
  return found;
}

/** Debian's package would also start a Prometheus on this machine: only its files are taken, and root is not needed. */
async function unpack(program) {
  if (process.env.HOLDFAST_NO_INSTALL === '1') {
    throw new Error('HOLDFAST_NO_INSTALL=1 forbids to fetch it. Put promtool on PATH and try again.');
  }
  mkdirSync(join(cache, '..'), { recursive: true });
  const folder = mkdtempSync(`${cache}-`);
  try {
    const download = () => run('apt-get', ['-q', 'download', 'prometheus'], { quiet: true, cwd: folder });
    let { code, output } = await download();
    if (code !== 0) {
      await run('apt-get', ['-q', 'update'], { quiet: true });
      ({ code, output } = await download());
    }
    const archive = readdirSync(folder).find((name) => name.endsWith('.deb'));
    if (code !== 0 || !archive) throw new Error(`the package could not be fetched (${lastLine(output)}).`);
    const unpacking = await run('dpkg-deb', ['-x', archive, 'files'], { quiet: true, cwd: folder });
    if (unpacking.code !== 0) throw new Error(`it could not be unpacked (${lastLine(unpacking.output)}).`);
    rmSync(cache, { recursive: true, force: true });
    renameSync(join(folder, 'files'), cache);
    return program;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const lastLine = (text) => text.trim().split('\n').at(-1) ?? '';
