import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Finding } from '@holdfast/plugin-api';
import type { Configuration } from '../../config.js';
import { type Check, failed, ok, warning } from './check.js';

const execute = promisify(execFile);
const answerWithin = 3_000;
const oldestNode = [20, 17] as const;

export const programChecks = (configuration: Configuration): Check[] => [
  { area: 'Node.js', run: async () => [nodeVersion(process.versions.node)] },
  { area: 'service', run: () => service(configuration) },
  { area: 'ssh', run: sshClient },
];

function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [first, second] = oldestNode;
  if (major > first || (major === first && minor >= second)) return ok(`Version ${version}.`);
  return failed(`Version ${version} is too old.`, `Install ${first}.${second} or newer.`);
}

/** Whether the port is free, or used by this service. */
async function service(configuration: Configuration): Promise<Finding[]> {
  const url = addressOf(configuration);
  if (configuration.port === 0) return [ok('PORT is 0: the next start uses any free port.')];
  const status = await statusAt(url);
  if (status === null) return [ok(`Holdfast is not running at ${url}. The port is free.`)];
  if (status !== undefined) return [ok(`Holdfast is running at ${url} (${status}).`)];
  return [
    warning(`${url} is in use, but not by Holdfast.`, 'Choose a different PORT or stop the other program.'),
  ];
}

export function addressOf({ host, port }: Configuration): string {
  const name = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host;
  return `http://${name}:${port}`;
}

/** The status of a Holdfast service at the URL; null if nothing listens, undefined for another program. */
export async function statusAt(url: string): Promise<string | null | undefined> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(answerWithin) });
    const body = (await answer.json().catch(() => null)) as { status?: unknown } | null;
    return typeof body?.status === 'string' ? body.status : undefined;
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return cause?.code === 'ECONNREFUSED' ? null : undefined;
  }
}

/** ssh prints its version to standard error. */
async function sshClient(): Promise<Finding[]> {
  try {
    const { stdout, stderr } = await execute('ssh', ['-V'], { timeout: answerWithin });
    return [ok(`${(stderr || stdout).trim().split('\n')[0]}.`)];
  } catch {
    const advice = 'Install the OpenSSH client (openssh-client) to use remote repositories.';
    return [warning('ssh was not found in PATH.', advice)];
  }
}
