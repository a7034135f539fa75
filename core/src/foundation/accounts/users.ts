import type { NewUser, Role, UserChanges, UserView } from '@holdfast/contracts';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import type { Caller } from '../kernel/index.js';
import { AppError, conflict, inTransaction, invalid, isoTime, notFound, say } from '../kernel/index.js';
import { generatePassword, passwordProblem, skeletonOf } from './accounts.rules.js';
import { endAllSignIns } from './end-sessions.js';
import type { AccountsNeeds } from './needs.js';
import { mustSetUpFactor, type SecondFactorPolicy } from './second-factor.rules.js';
import { identities, type UserRow, users } from './tables.js';

export async function createUser(
  { storage, passwords, clock, settings }: UserNeeds,
  _caller: Caller,
  input: NewUser,
): Promise<UserView> {
  const row = {
    username: input.username,
    email: input.email ?? null,
    password_hash: await passwords.hash(input.password),
    ...rightsAfter({ is_admin: false, grants: null, restore_paths: [] }, input),
    created_at: clock.now(),
  };
  const skeleton = skeletonOf(row.username);
  const others = await storage.find(users);
  const alike = others.find(
    (user) => user.username !== row.username && skeletonOf(user.username) === skeleton,
  );
  if (alike || skeleton === '')
    throw conflict(
      say`username_resembles: This username looks too similar to that of another user, or looks empty: choose another.`,
    );
  return userView(await conflictIfTaken(() => storage.insert(users, row)), settings);
}

/**
 * Changes the e-mail address, administrator rights or active state. Deactivating a user revokes all of their
 * tokens.
 */
export function updateUser(
  { storage, settings }: UserNeeds,
  _caller: Caller,
  { id, ...changes }: UserChanges & { id: number },
): Promise<UserView> {
  return conflictIfTaken(() =>
    inTransaction(storage, async (session) => userView(await change(session, id, changes), settings)),
  );
}

async function change(session: StorageSession, id: number, changes: UserChanges): Promise<UserRow> {
  const user = await findUser(session, id);
  const after: UserRow = {
    ...user,
    email: changes.email === undefined ? user.email : changes.email,
    is_active: changes.is_active ?? user.is_active,
    ...rightsAfter(user, changes),
  };
  if (!after.is_active || !after.is_admin) await assertNotLastAdmin(session, user);
  const { email, is_active, is_admin, grants, restore_paths } = after;
  await session.update(users, { id }, { email, is_active, is_admin, grants, restore_paths });
  if (!is_active) await endAllSignIns(session, id);
  return after;
}

/** Removes a user and all of their tokens. Their jobs continue and keep the name. */
export async function deleteUser({ storage }: AccountsNeeds, caller: Caller, id: number) {
  if (id === caller.userId) {
    throw invalid(
      say`own_account_not_deletable: You cannot delete your own account: ask another administrator.`,
    );
  }
  const user = await inTransaction(storage, async (session) => {
    const found = await findUser(session, id);
    await assertNotLastAdmin(session, found);
    await endAllSignIns(session, id);
    await session.remove(identities, { user_id: id });
    await session.remove(users, { id });
    return found;
  });
  return done(`User ${user.username} was deleted.`);
}

/** The user with that id, or AppError `not_found`. */
export async function findUser(storage: StorageSession, id: number): Promise<UserRow> {
  const [user] = await storage.find(users, { where: { id }, limit: 1 });
  if (!user) throw notFound(say`user_unknown: There is no user ${{ id }}: see GET /api/auth/users.`);
  return user;
}

/**
 * The caller's own row. Throws AppError `unauthenticated` when the account was deleted while the request ran.
 */
export async function findOwnUser(storage: StorageSession, caller: Caller): Promise<UserRow> {
  const [user] = await storage.find(users, { where: { id: caller.userId }, limit: 1 });
  if (!user) throw tokenEnded();
  return user;
}

/** The caller's own row. Throws AppError `invalid` for a wrong password. */
export async function withPassword(
  { storage, passwords }: Pick<AccountsNeeds, 'storage' | 'passwords'>,
  caller: Caller,
  password: string,
): Promise<UserRow> {
  const user = await findOwnUser(storage, caller);
  if (!(await passwords.verify(user.password_hash, password)))
    throw invalid(say`password_wrong: The password is wrong.`);
  return user;
}

export const tokenEnded = () =>
  new AppError('unauthenticated', say`access_token_revoked: The access token was revoked: log in again.`);

/** Throws AppError `not_found`. */
export async function getUser({ storage, settings }: Pick<UserNeeds, 'storage' | 'settings'>, id: number) {
  return userView(await findUser(storage, id), settings);
}

export async function listUsers({ storage, settings }: UserNeeds, _caller: Caller): Promise<UserView[]> {
  return (await storage.find(users)).map((row) => userView(row, settings));
}

/** One with a password can always sign in, also when a provider is down. Call it in a transaction. */
export async function isLastAdmin(session: StorageSession, user: UserRow): Promise<boolean> {
  if (!user.is_admin || !user.is_active || user.password_hash === '') return false;
  const others = { is_admin: true, is_active: true, id: { not: user.id }, password_hash: { not: '' } };
  return (await session.find(users, { where: others, limit: 1 })).length === 0;
}

/** Throws AppError `invalid` for the last active administrator with a password. Call it in a transaction. */
async function assertNotLastAdmin(session: StorageSession, user: UserRow): Promise<void> {
  if (!(await isLastAdmin(session, user))) return;
  throw invalid(
    say`last_administrator: ${{ username: user.username }} is the last active administrator with a password: make another user an administrator first.`,
  );
}

/** Runs a write of a user and turns a taken username or e-mail address into AppError `conflict`. */
async function conflictIfTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    const taken =
      error.key === 'email'
        ? say`email_taken: Another user has this e-mail address: choose another.`
        : say`username_taken: Another user has this username: choose another.`;
    throw conflict(taken, { cause: error });
  }
}

/**
 * Creates the user `admin` when there are no users. Uses INITIAL_ADMIN_PASSWORD if given. Otherwise returns a
 * generated password, to be shown once, which must be changed at the first login. Returns null when there is
 * nothing to show. Of several processes that start together, exactly one creates the user. Throws AppError
 * `invalid` when the given password breaks the rules.
 */
export async function ensureInitialAdmin(
  { storage, passwords, clock }: Pick<AccountsNeeds, 'storage' | 'passwords' | 'clock'>,
  initialPassword?: string,
): Promise<string | null> {
  if ((await storage.find(users, { limit: 1 })).length > 0) return null;
  const problem = initialPassword ? passwordProblem(initialPassword) : null;
  if (problem) throw invalid(say`initial_admin_password_wrong: INITIAL_ADMIN_PASSWORD ${{ problem }}.`);
  const password = initialPassword || generatePassword();
  try {
    await storage.insert(users, {
      username: 'admin',
      password_hash: await passwords.hash(password),
      is_admin: true,
      must_change_password: !initialPassword,
      created_at: clock.now(),
    });
  } catch (error) {
    if (isStoreError(error, 'unique')) return null;
    throw error;
  }
  return initialPassword ? null : password;
}

type UserNeeds = AccountsNeeds & { settings: { requireSecondFactor: SecondFactorPolicy } };

/** @param session - of the caller, whom a provider may have signed in: then its second factor counts. */
export const userView = (
  row: UserRow,
  { requireSecondFactor }: UserNeeds['settings'],
  session?: { provider: string | null },
): UserView => ({
  id: row.id,
  username: row.username,
  email: row.email,
  is_active: row.is_active,
  is_admin: row.is_admin,
  role: roleOf(row),
  grants: row.grants ?? [],
  restore_paths: row.restore_paths,
  has_password: row.password_hash !== '',
  must_change_password: row.must_change_password,
  must_set_up_second_factor: session?.provider == null && mustSetUpFactor(row, requireSecondFactor),
  second_factor: {
    totp: row.totp_secret !== null,
    passkeys: row.passkeys.length,
    recovery_codes: row.recovery_codes.length,
  },
  last_login: isoTime(row.last_login),
  created_at: isoTime(row.created_at),
});

type Rights = Pick<UserRow, 'is_admin' | 'grants' | 'restore_paths'>;

const roleOf = ({ is_admin, grants }: Rights): Role => (is_admin ? 'admin' : grants ? 'limited' : 'user');

/** Throws AppError `invalid` for fields that contradict each other. */
export function rightsAfter(
  before: Rights,
  input: Pick<UserChanges, 'is_admin' | 'role' | 'grants' | 'restore_paths'>,
): Rights {
  const { is_admin, grants, restore_paths } = input;
  const kept = is_admin === undefined ? roleOf(before) : roleOf({ ...before, is_admin });
  const role = input.role ?? kept;
  if (is_admin !== undefined && is_admin !== (role === 'admin'))
    throw invalid(
      say`role_contradicts: The role contradicts the right of an administrator: give only one of them.`,
    );
  if (role !== 'limited' && (grants?.length || restore_paths?.length))
    throw invalid(
      say`grants_without_limit: Only a user with the role \`limited\` has grants and folders to restore into.`,
    );
  if (role !== 'limited') return { is_admin: role === 'admin', grants: null, restore_paths: [] };
  return {
    is_admin: false,
    grants: grants ?? before.grants ?? [],
    restore_paths: restore_paths ?? before.restore_paths,
  };
}

/** The answer to an action without other results. */
export const done = (message: string) => ({ success: true as const, message });
