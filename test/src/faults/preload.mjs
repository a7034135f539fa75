/**
 * Loaded into a service by `--import`. It marks each durable step of the process from outside: a commit of SQLite that
 * changed rows, the start and the end of a program, a change of files below the folder of the test. The file of
 * FAULT_ORDER says what to do with the marks: note them, or end the process at one by SIGKILL. Without that file it
 * does nothing.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const { FAULT_ORDER: orderFile = '', FAULT_FOLDER: folder = '', FAULT_SQLITE: sqliteUser = '' } = process.env;
const { readFileSync, appendFileSync } = fs;

let order = { text: '', counts: new Map() };

/** Counts begin anew with each other order. */
function currentOrder() {
  let text = '';
  try {
    text = readFileSync(orderFile, 'utf8');
  } catch {
    return null;
  }
  if (text !== order.text) order = { text, counts: new Map(), ...JSON.parse(text || '{}') };
  return text === '' ? null : order;
}

function begin(label) {
  const current = currentOrder();
  if (current === null) return null;
  const nth = (current.counts.get(label) ?? 0) + 1;
  current.counts.set(label, nth);
  const step = { label, nth, order: current };
  reach(step, 'before');
  return step;
}

function reach(step, side) {
  if (step === null) return;
  const { label, nth, order: its } = step;
  if (its.record) appendFileSync(its.record, `${JSON.stringify({ label, nth, side })}\n`);
  else if (its.label === label && its.nth === nth && its.side === side) die();
}

function die() {
  process.kill(process.pid, 'SIGKILL');
  // Nothing of this thread goes on until the signal is there.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** All statements of a process that change something are of one connection. */
function markCommits({ Statement }) {
  let changes = [];
  for (const method of ['run', 'all']) {
    const original = Statement.prototype[method];
    Statement.prototype[method] = function marked(...words) {
      const { sql } = this;
      const callback = words.at(-1);
      if (typeof callback !== 'function') return original.apply(this, words);
      const seen = changes;
      const isCommit = /^COMMIT/.test(sql);
      if (isCommit || /^BEGIN/.test(sql)) changes = [];
      const step = isCommit && seen.length > 0 ? begin(`commit ${seen.join(', ')}`) : null;
      const done = function done(...results) {
        const [error, rows] = results;
        const change = changeOf(sql);
        if (!error && change && (this?.changes > 0 || rows?.length > 0)) changes.push(change);
        if (!error) reach(step, 'after');
        return callback.apply(this, results);
      };
      return original.apply(this, [...words.slice(0, -1), done]);
    };
  }
}

/** `update job(status, owner)` */
function changeOf(sql) {
  const [, verb, table] = /^(INSERT INTO|UPDATE|DELETE FROM)\s+["`](\w+)["`]/.exec(sql) ?? [];
  if (!verb) return null;
  const [, columns = ''] = /\bSET (.*?)( WHERE |$)/s.exec(sql) ?? [];
  const names = [...columns.matchAll(/["`](\w+)["`]\s*=/g)].map(([, name]) => name);
  return `${verb.split(' ')[0].toLowerCase()} ${table}${verb === 'UPDATE' ? `(${names.join(' ')})` : ''}`;
}

function markPrograms() {
  const { spawn } = childProcess;
  childProcess.spawn = (program, ...rest) => {
    if (rest[1]?.serialization === 'advanced') return markAsked(spawn(program, ...rest));
    const step = begin(programOf(program, Array.isArray(rest[0]) ? rest[0] : []));
    const child = spawn(program, ...rest);
    reach(step, 'after');
    // The first to hear of it.
    child.prependOnceListener('exit', () => reach(step, 'ended'));
    return child;
  };
}

/** A child that touches files for this process. */
function markAsked(child) {
  const send = child.send.bind(child);
  child.send = (asked, ...rest) => {
    for (const [, call, [path]] of asked)
      if (fileChanges.includes(call) && String(path).startsWith(folder)) begin(`file ${call}`);
    return send(asked, ...rest);
  };
  return child;
}

/** `borg create`, whatever stands before it. */
function programOf(program, words) {
  const at = words.findIndex((word) => /(^|\/)borg$/.test(word));
  return at < 0 ? `run ${String(program).split('/').at(-1)}` : `borg ${words[at + 1]}`;
}

const fileChanges = ['rename', 'rm', 'rmdir', 'unlink', 'mkdir', 'mkdtemp', 'symlink', 'link', 'writeFile'];

function markFiles() {
  for (const name of fileChanges) {
    const original = fs.promises[name];
    fs.promises[name] = async (path, ...rest) => {
      const step = String(path).startsWith(folder) ? begin(`file ${name}`) : null;
      const result = await original(path, ...rest);
      reach(step, 'after');
      return result;
    };
  }
}

if (orderFile) {
  markCommits(createRequire(sqliteUser)('sqlite3'));
  markPrograms();
  markFiles();
  syncBuiltinESMExports();
}
