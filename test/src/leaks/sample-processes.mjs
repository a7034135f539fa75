/**
 * Run as a process of its own: looks at all processes of this machine, and at the files below the folders of its
 * arguments, again and again. Says `ready` after the first round. When its input ends it prints what it saw, each
 * different thing once, and ends.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const roundMs = 6;
/** Files live longer than processes, and looking at many of them takes longer. */
const roundsBetweenFiles = 4;
/** A young process may become another program. */
const youngMs = 300;
const restMs = 1_000;
const largestFile = 256 << 10;

const folders = process.argv.slice(2);
const own = new Set([process.pid, process.ppid]);
const known = new Map();
const processes = new Map();
const versions = new Set();
const files = [];

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

const commandOf = (pid) => read(`/proc/${pid}/cmdline`).toString('latin1').replaceAll('\0', ' ').trim();

/** Between two reads a process may become another program: its environment is that of a command read before and after. */
function look(pid) {
  let command = commandOf(pid);
  let environment = '';
  for (let after = ''; command !== ''; command = after) {
    environment = read(`/proc/${pid}/environ`).toString('latin1').replaceAll('\0', '\n');
    after = commandOf(pid);
    if (after === command) break;
    if (after !== '') continue;
    // It ended, perhaps as another program.
    environment = '';
    break;
  }
  if (command === '') return;
  const text = `${command}\0${environment}`;
  if (!processes.has(text)) processes.set(text, { pid, command, environment });
}

function lookAtProcesses(now) {
  const alive = new Set();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || own.has(pid)) continue;
    alive.add(pid);
    const seen = known.get(pid);
    if (seen && now - seen.first > youngMs && now - seen.last < restMs) continue;
    known.set(pid, { first: seen?.first ?? now, last: now });
    look(pid);
  }
  for (const pid of known.keys()) if (!alive.has(pid)) known.delete(pid);
}

function lookAtFiles(folder) {
  let entries = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) lookAtFiles(path);
    else if (entry.isFile()) lookAtFile(path);
  }
}

function lookAtFile(path) {
  try {
    const { ino, mtimeMs, size, mode } = statSync(path);
    const version = `${path} ${ino} ${mtimeMs} ${size} ${mode}`;
    if (size === 0 || size > largestFile || versions.has(version)) return;
    const content = readFileSync(path).toString('base64');
    versions.add(version);
    files.push({ path, content, mode });
  } catch {
    // Gone meanwhile.
  }
}

let count = 0;

function round() {
  lookAtProcesses(performance.now());
  if (count % roundsBetweenFiles === 0) for (const folder of folders) lookAtFiles(folder);
  count += 1;
}

round();
process.stdout.write('ready\n');
const rounds = setInterval(round, roundMs);
process.stdin.resume().on('end', () => {
  clearInterval(rounds);
  process.stdout.write(JSON.stringify({ processes: [...processes.values()], files }));
});
