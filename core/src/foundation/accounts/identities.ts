import type { IdentityView } from '@holdfast/contracts';
import { isStoreError, type SignedIn, type StorageSession } from '@holdfast/plugin-api';
import { AppError, type Caller, conflict, inTransaction, isoTime, notFound, say } from '../kernel/index.js';
import { endBrowserSessions } from './end-sessions.js';
import type { AccountsNeeds } from './needs.js';
import { accountOf, isLike, rightsByGroups, type SignInRules } from './provider.rules.js';
import { deactivated } from './sign-in.js';
import { type BrowserSessionRow, browserSessions, identities, type UserRow, users } from './tables.js';
import { done, findOwnUser, isLastAdmin, rightsAfter } from './users.js';

/** Who a user is at a provider. */
interface Identity {
  provider: string;
  issuer: string;
  subject: string;
}

type Needs = { storage: StorageSession; settings: { signIn: SignInRules } } & Pick<AccountsNeeds, 'clock'>;

/** The caller's own. */
export async function listIdentities({ storage }: AccountsNeeds, caller: Caller): Promise<IdentityView[]> {
  const rows = await storage.find(identities, { where: { user_id: caller.userId } });
  return rows.map(({ id, provider, name, created_at, last_login }) => ({
    id,
    provider,
    name,
    created_at: isoTime(created_at),
    last_login: isoTime(last_login),
  }));
}

/** Ends the sessions that it opened, too. Throws AppError `conflict` for the last way to sign in. */
export async function unlinkIdentity({ storage }: AccountsNeeds, caller: Caller, id: number) {
  return inTransaction(storage, async (session) => {
    const user = await findOwnUser(session, caller);
    const own = await session.find(identities, { where: { user_id: user.id } });
    const found = own.find((each) => each.id === id);
    if (!found) throw notFound(say`identity_unknown: You have no linked account ${{ id }}.`);
    if (own.length === 1 && user.password_hash === '' && user.passkeys.length === 0)
      throw conflict(
        say`last_way_in: You could no longer sign in: ask an administrator to give you a password first.`,
      );
    await session.remove(identities, { id });
    const where = { user_id: user.id, provider: found.provider };
    const opened: BrowserSessionRow[] = await session.find(browserSessions, { where });
    await endBrowserSessions(
      session,
      opened.map((each) => each.id),
    );
    return done('The account is no longer linked.');
  });
}

/** Throws AppError `conflict` if it belongs to another user. */
export async function linkIdentity(
  { storage, clock }: Pick<Needs, 'storage' | 'clock'>,
  user_id: number,
  { name, ...identity }: Identity & { name: string },
): Promise<void> {
  const [known] = await storage.find(identities, { where: { ...identity }, limit: 1 });
  if (known?.user_id === user_id) return;
  if (known)
    throw conflict(say`identity_taken: This account at the provider is linked to another user of Holdfast.`);
  const created_at = clock.now();
  await storage.insert(identities, { ...identity, user_id, name, created_at });
}

/**
 * The user whom a provider has signed in, with the rights of their groups. Throws AppError `unauthenticated` for users
 * whom nobody knows, unless they are created. A name or an e-mail address alone is never an identity.
 */
export async function userOfIdentity(
  needs: Needs,
  { identity, person }: { identity: Identity; person: SignedIn },
): Promise<{ user: UserRow; remark: string | undefined }> {
  const { storage, clock } = needs;
  const [known] = await storage.find(identities, { where: { ...identity }, limit: 1 });
  const user = known ? await userOf(storage, known.user_id) : await newUser(needs, { identity, person });
  if (!user.is_active) throw deactivated();
  const last_login = clock.now();
  if (known) await storage.update(identities, { id: known.id }, { last_login, name: person.userName });
  const given = rightsByGroups(needs.settings.signIn, user, person);
  const rights = given && rightsAfter(user, given);
  // Somebody must get in when the provider doesn't work.
  const isKept = rights !== null && !rights.is_admin && (await isLastAdmin(storage, user));
  const changes = { last_login, ...(isKept ? {} : rights) };
  await storage.update(users, { id: user.id }, changes);
  const remark = isKept
    ? 'The groups give no administrator rights, but this is the last administrator with a password.'
    : undefined;
  return { user: { ...user, ...changes }, remark };
}

async function userOf(storage: StorageSession, id: number): Promise<UserRow> {
  const [user] = await storage.find(users, { where: { id }, limit: 1 });
  if (!user) throw unknown();
  return user;
}

async function newUser(
  { storage, clock, settings }: Needs,
  { identity, person }: { identity: Identity; person: SignedIn },
): Promise<UserRow> {
  const account = accountOf(person);
  if (!account)
    throw new AppError(
      'unauthenticated',
      say`sign_in_name_invalid: The name that the provider gives you can't be a username: ask an administrator.`,
    );
  if ((await storage.find(users)).some((user) => isLike(user, account))) throw alike();
  if (settings.signIn.unknownUsers === 'refuse') throw unknown();
  const created_at = clock.now();
  const row = { ...account, password_hash: '', grants: [], created_at };
  try {
    const user = await storage.insert(users, row);
    const name = person.userName;
    await storage.insert(identities, {
      ...identity,
      user_id: user.id,
      name,
      created_at,
      last_login: created_at,
    });
    return user;
  } catch (error) {
    throw isStoreError(error, 'unique') ? alike() : error;
  }
}

const unknown = () =>
  new AppError(
    'unauthenticated',
    say`sign_in_user_unknown: You have no account here: ask an administrator for one.`,
  );
const alike = () =>
  new AppError(
    'unauthenticated',
    say`sign_in_name_taken: There is an account with this name or e-mail address: sign in with its password, and link it in its settings.`,
  );
