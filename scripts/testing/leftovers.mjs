import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../prepare/orphan.mjs';

/** Short, because it is part of the paths of sockets; with the process id of its run. */
const folderName = /^hf-(\d+)-/;

/** Tools of lint, which tests run, keep them there. */
const caches = ['jiti'];

/** A folder for everything that a run writes: TMPDIR of its tests. Removes what killed runs left first. */
export function makeRunFolder(place = tmpdir()) {
  for (const name of readdirSync(place)) {
    const [, owner] = folderName.exec(name) ?? [];
    if (owner !== undefined && !isAlive(Number(owner))) removeRunFolder(join(place, name));
  }
  const folder = mkdtempSync(join(place, `hf-${process.pid}-`));
  // Users that tests create write here, too.
  chmodSync(folder, 0o1777);
  return folder;
}

/**
 * Ends, unmounts and removes everything that belongs to the folder of a run.
 * @returns {string[]} a sentence for each process, mount and folder that was left there
 */
export function removeRunFolder(folder) {
  const left = [];
  for (const { pid, command } of processesOf(folder)) {
    left.push(`The process ${pid} was left running: ${command}`);
    end(pid);
  }
  for (const mount of mountsIn(folder)) {
    left.push(`${mount} was left mounted.`);
    execFileSync('umount', ['--lazy', mount], { stdio: 'ignore' });
  }
  if (existsSync(folder)) {
    for (const name of readdirSync(folder).filter((each) => !caches.includes(each)))
      left.push(`${name} was left in the temporary folder of the run.`);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return left;
}

/** Those that have the folder in their arguments or variables, or work in it; not this one. */
function processesOf(folder) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => ({ pid: Number(name), command: textOf(name, 'cmdline') }))
    .filter(({ pid, command }) =>
      [command, textOf(pid, 'environ'), workingFolderOf(pid)].some((text) => text.includes(folder)),
    );
}

function textOf(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

function workingFolderOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Ended meanwhile.
  }
}

/** The innermost first. */
function mountsIn(folder) {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const places = lines.map((line) => line.split(' ')[4]?.replaceAll('\\040', ' ') ?? '');
  return places.filter((place) => place.startsWith(`${folder}/`)).reverse();
}
