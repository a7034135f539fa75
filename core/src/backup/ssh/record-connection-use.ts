import type { RemoteHostError, RemoteHostErrorKind } from '../../foundation/kernel/index.js';
import { errorColumns, inTransaction, messageOf } from '../../foundation/kernel/index.js';
import type { Allowed } from '../../foundation/ports/remote-host.js';
import { changeWithin } from './change-connections.js';
import type { SshNeeds } from './needs.js';
import type { SshConnectionRow } from './tables.js';

/** The result of one use of a connection. */
export interface ConnectionUse {
  at: number;
  error: RemoteHostError | null;
  /** The key that the host showed. It is pinned when no key is pinned yet. */
  hostKey?: string | undefined;
  /** What a test found that the key may run. */
  allows?: Allowed | undefined;
  /** It was a test, not other work. */
  tested?: boolean | undefined;
  /** The system key that was used. */
  keyId?: number | undefined;
}

/** With these kinds there was no connection. With others there was, and the work on the host failed. */
const connectionFailures: ReadonlySet<RemoteHostErrorKind> = new Set([
  'unreachable',
  'timeout',
  'authentication',
  'protocol',
  'host_key_changed',
]);

/** Updates status, times and error of a connection after a use. */
export async function recordConnectionUse(
  { storage, events }: Pick<SshNeeds, 'storage' | 'events'>,
  id: number,
  use: ConnectionUse,
): Promise<void> {
  const { error, hostKey } = use;
  if (error?.kind === 'cancelled') return;
  const seen = hostKey ?? error?.options.seenHostKey;
  await inTransaction(storage, async (session) => {
    const pinned = { where: { id, host_key: null }, patch: { host_key: seen ?? null } };
    if (seen) await changeWithin(session, events, pinned);
    await changeWithin(session, events, { where: { id }, patch: changes(use) });
  });
  events.nudge();
}

function changes({ at, error, tested, allows, keyId }: ConnectionUse): Partial<SshConnectionRow> {
  const test = tested ? { last_test: at } : {};
  if (error && (tested || connectionFailures.has(error.kind))) {
    const offered = error.hostKeys?.offered;
    return {
      ...test,
      status: error.kind === 'host_key_changed' ? 'host_key_changed' : 'failed',
      ...errorColumns(messageOf(error)),
      ...(offered ? { offered_host_key: offered } : {}),
    };
  }
  return {
    ...test,
    status: 'connected',
    last_success: at,
    ...errorColumns(null),
    offered_host_key: null,
    ...(keyId ? { ssh_key_id: keyId } : {}),
    ...(allows && { allows }),
  };
}
