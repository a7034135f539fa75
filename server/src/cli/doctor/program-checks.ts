import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Finding } from '@holdfast/plugin-api';
import type { Configuration } from '../../config.js';
import { type Check, failed, ok, warning } from './check.js';

const run = promisify(execFile);
const answerWithin = 3_000;
const oldestNode = [20, 17] as const;

export const programChecks = (configuration: Configuration): Check[] => [
  { area: 'Node.js', look: async () => [nodeVersion(process.versions.node)] },
  { area: 'service', look: () => service(configuration) },
  { area: 'ssh', look: sshClient },
];

function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [first, second] = oldestNode;
  if (major > first || (major === first && minor >= second)) return ok(`Version ${version}.`);
  return failed(`Version ${version} is too old.`, `Install ${first}.${second} or a newer one.`);
}

/** Whether the port is free, or this service's own. */
async function service({ host, port }: Configuration): Promise<Finding[]> {
  const name = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host;
  const url = `http://${name}:${port}`;
  if (port === 0) return [ok('PORT 0: the next start takes a free one.')];
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(answerWithin) });
    const body = (await answer.json().catch(() => null)) as { status?: unknown } | null;
    if (typeof body?.status === 'string') return [ok(`It runs and answers at ${url} (${body.status}).`)];
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    if (cause?.code === 'ECONNREFUSED') return [ok(`It does not run at ${url}; the port is free.`)];
  }
  return [
    warning(`Something at ${url} does not answer as this service.`, 'Choose another PORT, or look at it.'),
  ];
}

/** It says its version on standard error. */
async function sshClient(): Promise<Finding[]> {
  try {
    const { stdout, stderr } = await run('ssh', ['-V'], { timeout: answerWithin });
    return [ok(`${(stderr || stdout).trim().split('\n')[0]}.`)];
  } catch {
    const advice = 'Install the client of OpenSSH (openssh-client), or do without remote repositories.';
    return [warning('There is no ssh program on PATH.', advice)];
  }
}
