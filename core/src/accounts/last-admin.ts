import { invalid } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { type UserRow, users } from '../schema/tables.js';

/** Throws AppError `invalid` when nobody could administer the service without this user. In a transaction. */
export async function refuseForLastAdmin(session: StorageSession, user: UserRow): Promise<void> {
  if (!user.is_admin || !user.is_active) return;
  const others = { is_admin: true, is_active: true, id: { not: user.id } };
  if ((await session.find(users, { where: others, limit: 1 })).length > 0) return;
  throw invalid(`${user.username} is the last active administrator: make another user administrator first.`);
}
