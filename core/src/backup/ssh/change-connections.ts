import { isDeepStrictEqual } from 'node:util';
import type { StorageSession, Where } from '@holdfast/plugin-api';
import type { EventBus } from '../../foundation/events/index.js';
import { inTransaction } from '../../foundation/kernel/index.js';
import type { SshNeeds } from './needs.js';
import { type SshConnectionRow, sshConnections } from './tables.js';

type Record = Pick<EventBus, 'record'>;
type Connections = Where<typeof sshConnections>;

/** Changes connections, with an event for each that looks different then. Returns how many matched. */
export async function changeConnections(
  { storage, events }: Pick<SshNeeds, 'storage' | 'events'>,
  where: Connections,
  patch: Partial<SshConnectionRow>,
): Promise<number> {
  const matched = await inTransaction(storage, (session) => changeWithin(session, events, { where, patch }));
  events.nudge();
  return matched;
}

/** Like `changeConnections`, as part of a larger transaction. */
export async function changeWithin(
  session: StorageSession,
  events: Record,
  { where, patch }: { where: Connections; patch: Partial<SshConnectionRow> },
): Promise<number> {
  const rows = await session.find(sshConnections, { where });
  if (rows.length === 0) return 0;
  const matched = await session.update(sshConnections, where, patch);
  for (const before of rows)
    await noteConnection(session, events, { before, after: { ...before, ...patch } });
  return matched;
}

/** Records that a connection was created (`before` null), deleted (`after` null) or changed, in that transaction. */
export async function noteConnection(
  session: StorageSession,
  events: Record,
  { before, after }: { before: SshConnectionRow | null; after: SshConnectionRow | null },
): Promise<void> {
  const row = after ?? before;
  if (!row || (before && after && isDeepStrictEqual(shown(before), shown(after)))) return;
  const { id, host, port, username, status } = row;
  const change = before === null ? 'created' : after === null ? 'deleted' : 'updated';
  const data = { connection_id: id, change, host, port, username, status };
  await events.record(session, { kind: 'connection_changed', repositoryId: null, jobId: null, data });
}

/** Without what changes with every use. */
function shown({ last_test, last_success, storage, updated_at, ...rest }: SshConnectionRow) {
  return rest;
}
