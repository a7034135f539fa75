import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findProgram, run } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

const cacheOf = (name) => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast', name);

/**
 * A program on PATH, or from a Debian package that would also start a server on this machine: then only its files are
 * unpacked, which does not need root. On other systems the package is installed.
 * @param {string} program
 * @param {{ debian: string, others: Record<string, string[]> }} packages `others` as `installWithSystem` takes them
 */
export async function programOf(program, { debian, others }) {
  const found = findProgram(program);
  if (found) return found;
  const unpacked = join(cacheOf(debian), 'usr', 'bin', program);
  if (existsSync(unpacked)) return unpacked;
  if (findProgram('apt-get') && findProgram('dpkg-deb')) {
    await unpack(debian, program);
    return unpacked;
  }
  await installWithSystem(program, others);
  const installed = findProgram(program);
  if (!installed) throw new Error('it was installed but is not on PATH.');
  return installed;
}

async function unpack(name, program) {
  if (process.env.HOLDFAST_NO_INSTALL === '1') {
    throw new Error(`HOLDFAST_NO_INSTALL=1 forbids fetching it. Put ${program} on PATH and try again.`);
  }
  const cache = cacheOf(name);
  mkdirSync(join(cache, '..'), { recursive: true });
  const folder = mkdtempSync(`${cache}-`);
  try {
    const download = () => run('apt-get', ['-q', 'download', name], { quiet: true, cwd: folder });
    let { code, output } = await download();
    if (code !== 0) {
      await run('apt-get', ['-q', 'update'], { quiet: true });
      ({ code, output } = await download());
    }
    const archive = readdirSync(folder).find((file) => file.endsWith('.deb'));
    if (code !== 0 || !archive) throw new Error(`the package could not be fetched (${lastLine(output)}).`);
    const unpacking = await run('dpkg-deb', ['-x', archive, 'files'], { quiet: true, cwd: folder });
    if (unpacking.code !== 0) throw new Error(`it could not be unpacked (${lastLine(unpacking.output)}).`);
    rmSync(cache, { recursive: true, force: true });
    renameSync(join(folder, 'files'), cache);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const lastLine = (text) => text.trim().split('\n').at(-1) ?? '';
