import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isAlive } from '../prepare/orphan.mjs';

const call = promisify(execFile);
/** Prefix of the folders of test servers, which contain the homes. */
export const folderPrefix = 'holdfast-sshd-';
const ownerMark = /^Holdfast tests of process (\d+)$/;

/**
 * Creates a user `hf-…` on this machine, whose home is `home` (not created here) and who may log in with `password`.
 * @param {{ home: string, shell: string, password: string }} account
 * @returns {Promise<{ name: string, uid: number, gid: number }>}
 */
export async function makeAccount({ home, shell, password }) {
  if (process.getuid?.() !== 0) {
    throw new Error(
      'Tests with a real sshd create users on this machine, which needs root: run them as root.',
    );
  }
  const name = `hf-${randomBytes(4).toString('hex')}`;
  const comment = `Holdfast tests of process ${process.pid}`;
  const choice = ['--system', '--user-group', '--no-create-home', '--home-dir', home, '--shell', shell];
  await patiently(() => call('useradd', [...choice, '--comment', comment, name]));
  await patiently(() => setPassword(name, password));
  const { uid, gid } = accounts().find((account) => account.name === name);
  return { name, uid, gid };
}

/** Where sudo finds what this user may do. */
export const sudoRule = (name) => `/etc/sudoers.d/${name}`;

/** Ends all processes of that user, then removes the user. */
export function removeAccount(name) {
  const account = accounts().find((one) => one.name === name);
  if (account === undefined || !name.startsWith('hf-')) return;
  for (const pid of processesOf(account.uid)) kill(pid);
  rmSync(sudoRule(name), { force: true });
  execFileSync('userdel', ['--force', name], { stdio: 'ignore' });
}

/** Removes the users of test runs that were killed, and their folders. */
export function removeLeftAccounts() {
  if (process.getuid?.() !== 0) return;
  for (const { name, comment, home } of accounts()) {
    const owner = ownerMark.exec(comment)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    removeAccount(name);
    const folder = dirname(home);
    if (basename(folder).startsWith(folderPrefix)) rmSync(folder, { recursive: true, force: true });
  }
}

function accounts() {
  const lines = readFileSync('/etc/passwd', 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [name, , uid, gid, comment, home] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid), comment, home };
  });
}

/** Passed by stdin, so that no password is in an argument list. */
async function setPassword(name, password) {
  const child = spawn('chpasswd', [], { stdio: ['pipe', 'ignore', 'pipe'] });
  child.stdin.end(`${name}:${password}\n`);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`chpasswd exited with ${code}`);
}

/** Retries, because another test may hold the lock of the user list. */
async function patiently(step) {
  for (let tries = 1; ; tries++) {
    try {
      return await step();
    } catch (error) {
      if (tries === 20) throw error;
      await pause(100 * tries);
    }
  }
}

function processesOf(uid) {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && statSync(`/proc/${name}`).uid === uid;
    } catch {
      return false;
    }
  });
}

function kill(pid) {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // Ended in the meantime.
  }
}
