import type { Pinned } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import type { ArchiveSummary } from '@holdfast/plugin-api/driver';
import { conflict, invalid, isoTime, say } from '../../../foundation/kernel/index.js';
import { type ArchiveRow, archives, type PinRow, pins, type RepositoryRow } from '../tables.js';

type Registered = Pick<RepositoryRow, 'id' | 'tool_id'>;

/** By the tool's id of the archive. Expired pins count for nothing, whether or not the housekeeping removed them. */
export async function livePins(
  session: Pick<StorageSession, 'find'>,
  { tool_id }: Pick<RepositoryRow, 'tool_id'>,
  now: number,
): Promise<Map<string, PinRow>> {
  const all = await session.find(pins, { where: { repository_tool_id: tool_id } });
  return new Map(all.filter((pin) => isLive(pin, now)).map((pin) => [pin.archive_tool_id, pin]));
}

const isLive = ({ until }: PinRow, now: number): boolean => until === null || until > now;

export const pinView = (pin: PinRow | undefined): Pinned | null =>
  pin === undefined
    ? null
    : { reason: pin.reason, until: isoTime(pin.until), by: pin.created_by, since: isoTime(pin.created_at) };

/** The first pinned one among archives that are about to be deleted; null: none is. `ids` are of the tool. */
export async function pinnedAmong(
  session: Pick<StorageSession, 'find'>,
  repository: Registered,
  { names, ids = [], now }: { names: readonly string[]; ids?: readonly string[]; now: number },
): Promise<{ name: string; reason: string } | null> {
  const live = await livePins(session, repository, now);
  if (live.size === 0) return null;
  const rows = await session.find(archives, { where: { repository_id: repository.id, name: { in: names } } });
  const row = rows.find(({ tool_id }) => live.has(tool_id));
  const id = row?.tool_id ?? ids.find((each) => live.has(each));
  const pin = id === undefined ? undefined : live.get(id);
  return pin ? { name: row?.name ?? names[0] ?? '', reason: pin.reason } : null;
}

export const isPinned = ({ name, reason }: { name: string; reason: string }) =>
  say`archive_pinned: Archive ${{ archive: name }} is pinned (${{ reason }}): unpin it before you delete it.`;

const mostPins = 1_000;

export type NewPin = Omit<PinRow, 'id'>;

/** Adds or replaces the pin of an archive. Throws AppError `invalid` for one that has ended, `conflict` for too many. */
export async function writePin(session: StorageSession, pin: NewPin, now: number): Promise<void> {
  if (pin.until !== null && pin.until <= now)
    throw invalid(say`pin_has_ended: until is in the past: choose a time in the future, or no end.`);
  const { repository_tool_id, archive_tool_id } = pin;
  const where = { repository_tool_id, archive_tool_id };
  if ((await session.update(pins, where, pin)) > 0) return;
  const of = { repository_tool_id };
  const [count] = await session.aggregate(pins, { where: of, measures: { rows: { count: true } } });
  if ((count?.rows ?? 0) >= mostPins)
    throw conflict(
      say`too_many_pins: This repository already has ${{ most: mostPins }} pins: remove some of them first.`,
    );
  await session.insert(pins, pin);
}

/** False when it was not pinned, or no longer. */
export async function removePin(
  session: StorageSession,
  repository: Pick<RepositoryRow, 'tool_id'>,
  { archive, now }: { archive: string; now: number },
): Promise<boolean> {
  const pin = (await livePins(session, repository, now)).get(archive);
  return pin !== undefined && (await session.remove(pins, { id: pin.id })) > 0;
}

/**
 * A rename, a repair or a signing writes an archive under a new id: its pin follows. `rows` is the inventory before the
 * listing.
 */
export async function followPins(
  session: StorageSession,
  { tool_id }: Pick<RepositoryRow, 'tool_id'>,
  { rows, listing }: { rows: readonly ArchiveRow[]; listing: { archives: readonly ArchiveSummary[] } },
): Promise<void> {
  const held = await session.find(pins, { where: { repository_tool_id: tool_id } });
  if (held.length === 0) return;
  const listed = new Set(listing.archives.map(({ id }) => id));
  const known = new Set([...rows.map((row) => row.tool_id), ...held.map((pin) => pin.archive_tool_id)]);
  const fresh = listing.archives.filter(({ id }) => !known.has(id));
  for (const { id, archive_tool_id } of held.filter((pin) => !listed.has(pin.archive_tool_id))) {
    const before = rows.find((row) => row.tool_id === archive_tool_id);
    const at = before ? fresh.findIndex((archive) => isSameBackup(before, archive)) : -1;
    const [after] = at < 0 ? [] : fresh.splice(at, 1);
    if (after) await session.update(pins, { id }, { archive_tool_id: after.id });
  }
}

const isSameBackup = (row: ArchiveRow, archive: ArchiveSummary): boolean =>
  row.start === archive.start &&
  row.comment === archive.comment &&
  row.hostname === archive.hostname &&
  row.username === archive.username;
