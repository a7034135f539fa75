import { type Allowed, isRemoteHostError } from '@holdfast/core/server';
import pTimeout from 'p-timeout';
import type { Connection } from './connection.js';
import { execute, runScript } from './execute.js';

const step = 'run a command';
const patienceMs = 10_000;

/** The first message of borg's protocol, in MessagePack: `{i: 1, m: negotiate, a: {client_data: …}}`. */
const negotiation = Buffer.concat([
  Buffer.from('83a16901a16da96e65676f7469617465a161', 'hex'),
  Buffer.from('81ab636c69656e745f6461746181ae636c69656e745f76657273696f6e93010200', 'hex'),
]);

/** A key may be restricted to `borg serve` (`command=` in authorized_keys): then that runs instead of every command. */
export async function allowedBy(connection: Connection): Promise<Allowed> {
  if (await succeeds(async () => (await runScript(connection, { step, text: ':' })).code === 0))
    return 'commands';
  const serve = { step, line: 'borg serve', input: negotiation };
  const serves = async () => (await execute(connection, serve)).stdout.includes('server_version');
  return (await succeeds(serves)) ? 'borg_serve' : 'nothing';
}

const succeeds = (work: () => Promise<boolean>): Promise<boolean> =>
  pTimeout(work(), { milliseconds: patienceMs, fallback: () => false }).catch((error: unknown) => {
    if (isRemoteHostError(error, 'refused') || isRemoteHostError(error, 'failed')) return false;
    throw error;
  });
