import type { StorageSession } from '@holdfast/plugin-api';
import { scripts } from '../../../backup/hooks/index.js';
import { type RepositoryRow, repositories, sourceSets } from '../../../backup/repositories/index.js';
import { sshConnections } from '../../../backup/ssh/index.js';
import { invalid, say } from '../../../foundation/kernel/index.js';

/** How objects of the document name each other. */
export interface Names {
  repositories: ReadonlyMap<number, string>;
  connections: ReadonlyMap<number, string>;
  sets: ReadonlyMap<number, string>;
  scripts: ReadonlyMap<number, string>;
}

export async function namesIn(storage: StorageSession): Promise<Names> {
  const [a, b, c, d] = [
    await ownLeftOut(storage),
    await storage.find(sshConnections),
    await storage.find(sourceSets),
    await storage.find(scripts),
  ];
  return {
    repositories: new Map(a.map((row) => [row.id, row.tool_id])),
    connections: new Map(b.map((row) => [row.id, addressText(row)])),
    sets: new Map(c.map((row) => [row.id, row.name])),
    scripts: new Map(d.map((row) => [row.id, row.name])),
  };
}

/** The self-backup belongs to this installation alone: another one gets its own. */
export const ownLeftOut = (storage: StorageSession): Promise<RepositoryRow[]> =>
  storage.find(repositories, { where: { self_backup: false } });

export const addressText = ({ host, port, username }: { host: string; port: number; username: string }) =>
  `${username}@${host}:${port}`;

/** The registered repository with this id of the backup tool. Throws AppError `invalid`. */
export async function repositoryOf(session: StorageSession, toolId: string): Promise<RepositoryRow> {
  const [row] = await session.find(repositories, { where: { tool_id: toolId }, limit: 1 });
  if (!row) throw absent('repository', toolId.slice(0, 12));
  return row;
}

type Reference = string | null | undefined;

export async function connectionOf(session: StorageSession, address: Reference) {
  if (address == null) return address;
  const row = (await session.find(sshConnections)).find((each) => addressText(each) === address);
  if (!row) throw absent('connection', address);
  return row.id;
}

export async function setOf(session: StorageSession, name: Reference) {
  if (name == null) return name;
  const [row] = await session.find(sourceSets, { where: { name }, limit: 1 });
  if (!row) throw absent('source set', name);
  return row.id;
}

export async function scriptOf(session: StorageSession, name: string) {
  const [row] = await session.find(scripts, { where: { name }, limit: 1 });
  if (!row) throw absent('script', name);
  return row;
}

const absent = (kind: string, name: string) =>
  invalid(
    say`settings_reference_missing: It needs the ${{ kind }} ${{ name }}, which is neither in the file nor in Holdfast.`,
  );
