import { RemoteHostError } from '@holdfast/core/server';
import type { Connection } from './connection.js';
import { execute } from './execute.js';
import { noCommands, oneLine } from './failures.js';
import { lineFor } from './quote.js';

const step = 'run a command with sudo';
const answer = 'holdfast-root';

/** Rejects with RemoteHostError `refused` unless the account may run commands as root. */
export async function assertRoot(connection: Connection): Promise<void> {
  const line = lineFor({ sudo: true }, ['printf', answer]);
  const { stdout, stderr } = await execute(connection, { step, line });
  if (stdout.includes(answer)) return;
  const { host, username } = connection.account;
  const problem = problemOf(stderr, host);
  if (problem === null) throw noCommands(step, stderr || stdout.toString());
  const rule = `${username} ALL=(root) NOPASSWD: /bin/sh`;
  const message = `${problem}. To allow it, write this line to /etc/sudoers.d/holdfast there: ${rule}`;
  throw new RemoteHostError('refused', message, { step });
}

function problemOf(stderr: string, host: string): string | null {
  if (/sudo\S*: (?:\S+ )?(?:not found|No such file)/i.test(stderr)) return `There is no sudo on ${host}`;
  if (/password is required/.test(stderr)) return `sudo on ${host} asks for a password`;
  if (/must have a tty/.test(stderr)) return `sudo on ${host} asks for a terminal (requiretty)`;
  return /^sudo: |is not allowed to/im.test(stderr) ? `sudo on ${host} refuses: ${oneLine(stderr)}` : null;
}
