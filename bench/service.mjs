import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../scripts/prepare/root.mjs';

export const password = 'a password for measuring';
export const passphrase = 'a passphrase for measuring';
const entryOf = (checkout) => join(checkout, 'server', 'dist', 'main.js');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The settings of `npm start` for the C library and Node. */
const memory = Object.fromEntries(
  [...scripts.start.matchAll(/(MALLOC_\w+)=(\d+)/g)].map(([, ...pair]) => pair),
);
const nodeFlags = scripts.start.match(/--\S+/g) ?? [];
/** Fine enough for the limits, and rare enough not to slow down what is measured. */
const pollMs = 20;

/**
 * The service as a separate process on a free port; `startedIn` is the time from its start to a healthy answer.
 * `preload` is a module that Node imports first, `checkout` another built tree of the project, `program` what is
 * started instead of the service, with its arguments.
 */
export async function startService(
  dataDirectory,
  { env = {}, preload, checkout = root, program = [entryOf(checkout)] } = {},
) {
  const began = performance.now();
  const flags = [...nodeFlags, ...(preload ? [`--import=${preload}`] : [])];
  const child = spawn(process.execPath, [...flags, ...program], {
    env: {
      ...memory,
      PATH: process.env.PATH,
      HOME: dataDirectory,
      DATA_DIR: dataDirectory,
      PORT: '0',
      INITIAL_ADMIN_PASSWORD: password,
      EXPENSIVE_CALLS_PER_MINUTE: '1000000',
      ...env,
    },
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await urlOf(child);
  while (!(await isHealthy(url))) await pause(2);
  const startedIn = performance.now() - began;
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', end);
  };
  return { url, pid: child.pid, startedIn, stop, memory: () => residentMemory(child.pid) };
}

function urlOf(child) {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const url = /listens on (http:\S+)/.exec(output)?.[1];
      if (!url) return;
      child.stdout.removeAllListeners('data').resume();
      resolve(url);
    });
    child.once('exit', () => reject(new Error(`the service exited:\n${output}`)));
  });
}

async function isHealthy(url) {
  try {
    return (await (await fetch(`${url}/health`)).json()).status === 'healthy';
  } catch {
    return false;
  }
}

/** Resident bytes of a process. */
export function residentMemory(pid) {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** Calls of the API; every answer except a successful one is an error. */
export async function signIn(url, secret = password, username = 'admin') {
  const form = new URLSearchParams({ username, password: secret });
  const session = await call(`${url}/api/auth/login`, { method: 'POST', body: form });
  const headers = { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' };
  return {
    headers,
    get: (path) => call(url + path, { headers }),
    timed: (path) => untilLastByte(url + path, headers),
    post: (path, body) => call(url + path, { method: 'POST', headers, body: JSON.stringify(body) }),
    put: (path, body) => call(url + path, { method: 'PUT', headers, body: JSON.stringify(body) }),
  };
}

/** Measures until the last byte of the answer; parsing its JSON is not included. Uses one connection for all calls. */
function untilLastByte(url, headers) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: oneConnection }, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', () => {
        const ms = performance.now() - began;
        const text = Buffer.concat(pieces).toString();
        if (answer.statusCode === 200) resolve({ ms, body: JSON.parse(text) });
        else reject(new Error(`GET ${url}: ${answer.statusCode} ${text}`));
      });
      answer.on('error', reject);
    });
    request.on('error', reject);
  });
}
const oneConnection = new Agent({ keepAlive: true, maxSockets: 1 });

async function call(url, options) {
  const answer = await fetch(url, options);
  if (!answer.ok)
    throw new Error(`${options.method ?? 'GET'} ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Resolves to the completed job; `everyMs` is the polling interval. */
export async function backUp(api, repository, everyMs = pollMs) {
  const { job_id } = await api.post('/api/backup/start', { repository });
  for (;;) {
    const job = await api.get(`/api/backup/status/${job_id}`);
    if (job.status === 'completed') return job;
    if (job.completed_at !== null) throw new Error(`the backup ended as ${job.status}: ${job.error_message}`);
    await pause(everyMs);
  }
}

/**
 * From the request to the `completed` state by the job's own timestamp, in milliseconds, because frequent polling
 * takes time itself.
 */
export async function timedBackUp(api, repository) {
  const began = Date.now();
  const { completed_at } = await backUp(api, repository, 250);
  return Date.parse(completed_at) - began;
}

export async function createRepository(api, { name, path, source }) {
  await api.post('/api/repositories/', { name, path, passphrase, source_directories: [source] });
}

/** The peak of a process's resident memory while the work runs. */
export async function peakMemory(service, work) {
  let peak = service.memory();
  const timer = setInterval(() => {
    peak = Math.max(peak, service.memory());
  }, 25);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
  return peak;
}
