import type { Caller } from '../kernel/caller.rules.js';
import { AppError, notFound } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { type UserRow, users } from '../schema/tables.js';

/** The user with that id, or AppError `not_found`. */
export async function findUser(storage: StorageSession, id: number): Promise<UserRow> {
  const [user] = await storage.find(users, { where: { id }, limit: 1 });
  if (!user) throw notFound(`There is no user ${id}: see GET /api/auth/users.`);
  return user;
}

/** The caller's own row; gone when the account was deleted while the request ran. */
export async function findOwnUser(storage: StorageSession, caller: Caller): Promise<UserRow> {
  const [user] = await storage.find(users, { where: { id: caller.userId }, limit: 1 });
  if (!user) throw tokenEnded();
  return user;
}

export const tokenEnded = () =>
  new AppError('unauthenticated', 'The access token was revoked meanwhile: log in again.');
