import { createHash } from 'node:crypto';
import type { NewPasskey, PasskeyView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import type { Caller } from '../kernel/index.js';
import { conflict, inTransaction, invalid, isoTime, notFound, say } from '../kernel/index.js';
import type { Site, WebAuthnJson } from '../ports/passkey-tool.js';
import { makeChallenge, useUp } from './challenges.js';
import type { AccountsNeeds } from './needs.js';
import { findOwnChallenge, noCodes } from './second-factor.js';
import { hasSecondFactor, newRecoveryCodes } from './second-factor.rules.js';
import { type Passkey, tokens, type UserRow, users } from './tables.js';
import { done, findOwnUser, withPassword } from './users.js';

const mostOfUser = 20;

export async function listPasskeys({ storage }: AccountsNeeds, caller: Caller) {
  const { passkeys } = await findOwnUser(storage, caller);
  return { success: true as const, passkeys: passkeys.map(passkeyView) };
}

/** Begins to add a passkey: nothing changes before the answer of the authenticator. */
export async function setUpPasskey(
  needs: AccountsNeeds,
  caller: Caller,
  { password, origin }: Site & { password: string },
) {
  const user = await withPassword(needs, caller, password);
  refuseTooMany(user);
  const challenge = await makeChallenge(needs, { kind: 'passkey-setup', userId: user.id, data: {} });
  const { username, passkeys: known } = user;
  const wanted = { origin, challenge, username, userHandle: userHandleOf(user), known };
  return { challenge, options: await needs.passkeyTool.creation(wanted) };
}

/** Anyone who holds the authenticator can read it, so it says nothing about the user. */
const userHandleOf = ({ id, created_at }: UserRow) =>
  createHash('sha256').update(`passkeys of ${id} ${created_at}`).digest();

/** Answers with recovery codes, if the user has none yet. */
export async function addPasskey(
  needs: AccountsNeeds,
  caller: Caller,
  { challenge, name, response, origin }: NewPasskey & Site,
) {
  const found = await findOwnChallenge(needs, caller, { kind: 'passkey-setup', challenge });
  const credential = await needs.passkeyTool.created({ origin, challenge, response });
  if (credential === null)
    throw invalid(
      say`passkey_not_valid: The passkey can't be used: its answer is not valid for ${{ origin }}. If that is not the address in the browser, set TRUST_PROXY and let the proxy pass on Host and X-Forwarded-Proto.`,
    );
  return inTransaction(needs.storage, async (session) => {
    const user = await findOwnUser(session, caller);
    refuseTooMany(user);
    await useUp(session, found);
    if (await ownerOf(session, credential.id))
      throw conflict(say`passkey_known: This passkey was added already: use another one.`);
    const added: Passkey = { ...credential, origin, name, created_at: needs.clock.now(), last_used_at: null };
    const recovery = user.recovery_codes.length > 0 ? null : newRecoveryCodes();
    await session.update(
      users,
      { id: user.id },
      { passkeys: [...user.passkeys, added], ...(recovery && { recovery_codes: recovery.hashes }) },
    );
    return { success: true as const, passkey: passkeyView(added), recovery_codes: recovery?.codes ?? [] };
  });
}

export function renamePasskey(
  { storage }: AccountsNeeds,
  caller: Caller,
  { id, name }: { id: string; name: string },
) {
  return inTransaction(storage, async (session) => {
    const { passkeys } = await withPasskey(session, caller, id);
    const renamed = passkeys.map((passkey) => (passkey.id === id ? { ...passkey, name } : passkey));
    await session.update(users, { id: caller.userId }, { passkeys: renamed });
    return done('The passkey was renamed.');
  });
}

/** Without another second factor, the recovery codes go, too. */
export function removePasskey({ storage }: AccountsNeeds, caller: Caller, id: string) {
  return inTransaction(storage, async (session) => {
    const [own] = await session.find(tokens, { where: { id: caller.tokenId }, limit: 1 });
    if (own?.kind === 'api')
      throw invalid(
        say`passkey_needs_session: An API token cannot remove passkeys: sign in with your password.`,
      );
    const user = await withPasskey(session, caller, id);
    const after = { ...user, passkeys: user.passkeys.filter((passkey) => passkey.id !== id) };
    const changes = { passkeys: after.passkeys, ...(!hasSecondFactor(after) && noCodes) };
    await session.update(users, { id: user.id }, changes);
    return done('The passkey was removed.');
  });
}

/** The user of a passkey. There are few users, and their passkeys are no rows of their own. */
export async function ownerOf(storage: StorageSession, id: unknown): Promise<UserRow | undefined> {
  const all = await storage.find(users);
  return all.find(({ passkeys }) => passkeys.some((passkey) => passkey.id === id));
}

/** Whose passkey answers, for the limits of wrong answers; null: nobody's. */
export async function userOfPasskey({ storage }: AccountsNeeds, { id }: WebAuthnJson) {
  return (await ownerOf(storage, id))?.username ?? null;
}

async function withPasskey(session: StorageSession, caller: Caller, id: string): Promise<UserRow> {
  const user = await findOwnUser(session, caller);
  if (user.passkeys.some((passkey) => passkey.id === id)) return user;
  throw notFound(say`passkey_unknown: You have no such passkey: see GET /api/auth/passkeys.`);
}

function refuseTooMany({ passkeys }: UserRow): void {
  if (passkeys.length < mostOfUser) return;
  throw conflict(
    say`passkeys_too_many: You have ${{ count: passkeys.length }} passkeys: remove one that you no longer use.`,
  );
}

const passkeyView = ({ id, name, created_at, last_used_at }: Passkey): PasskeyView => ({
  id,
  name,
  created_at: isoTime(created_at),
  last_used_at: isoTime(last_used_at),
});
