import { Readable } from 'node:stream';
import { isRemoteLocation } from './remote-location.rules.js';
import { conflict } from '../kernel/errors.js';
import type { BackupDriver, RepositoryTarget } from '../ports/backup-driver.js';
import type { SshConnectionRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import type { ConnectionNeeds } from './check-connection.js';
import { findConnection } from './connection-access.js';
import { openTransport } from './open-transport.js';
import { asDriverError, judged, recordSuccess } from './tool-use.js';

type Needs = ConnectionNeeds & Pick<Dependencies, 'sshFiles' | 'log'>;
type Operation = (target: RepositoryTarget, ...rest: unknown[]) => unknown;

/** These look at this machine only. */
const local: ReadonlySet<PropertyKey> = new Set(['lockHolder', 'forget']);

/**
 * The driver for repositories on other hosts too: each operation gets the connection's key and pinned host key as
 * they are now, and the connection's status follows what came of it.
 */
export function connectedDriver<D extends BackupDriver>(driver: D, needs: Needs): D {
  return new Proxy(driver, {
    get(inner, name) {
      const member = Reflect.get(inner, name) as unknown;
      if (typeof member !== 'function') return member;
      const operation = member.bind(inner) as Operation;
      return (...words: Parameters<Operation>) =>
        isFar(words[0]) && !local.has(name) ? far(needs, { name, operation, words }) : operation(...words);
    },
  });
}

const isFar = (first: unknown): first is RepositoryTarget =>
  typeof first === 'object' &&
  first !== null &&
  isRemoteLocation(String((first as RepositoryTarget).location));

interface FarCall {
  name: PropertyKey;
  operation: Operation;
  words: Parameters<Operation>;
}

function far(needs: Needs, call: FarCall): unknown {
  if (call.name === 'listEntries') return pieces(needs, call);
  if (call.name === 'readFile') return Readable.from(pieces(needs, call), { objectMode: false });
  return using(needs, call.words, (words) => call.operation(...words) as Promise<unknown>);
}

/** Streams are opened when they are first read, and count as used when they were read to their end. */
async function* pieces(needs: Needs, { operation, words }: FarCall): AsyncGenerator<unknown> {
  const { connection, connected } = await open(needs, words);
  try {
    yield* operation(...connected) as AsyncIterable<unknown>;
  } catch (error) {
    throw await judged(needs, connection, error);
  }
  await recordSuccess(needs, connection);
}

async function using<T>(
  needs: Needs,
  words: Parameters<Operation>,
  work: (words: Parameters<Operation>) => Promise<T>,
): Promise<T> {
  const { connection, connected } = await open(needs, words);
  try {
    const result = await work(connected);
    await recordSuccess(needs, connection);
    return result;
  } catch (error) {
    throw await judged(needs, connection, error);
  }
}

interface Opened {
  connection: SshConnectionRow;
  connected: Parameters<Operation>;
}

async function open(needs: Needs, [target, ...rest]: Parameters<Operation>): Promise<Opened> {
  try {
    const connection = await findConnection(needs.storage, idOf(target));
    const transport = await openTransport(needs, connection);
    return { connection, connected: [{ ...target, transport }, ...rest] };
  } catch (error) {
    throw asDriverError(error);
  }
}

function idOf({ connectionId }: RepositoryTarget): number {
  if (typeof connectionId === 'number') return connectionId;
  throw conflict(
    'The repository is on another host and has no connection to it any more: set its connection_id.',
  );
}
