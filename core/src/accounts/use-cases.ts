import type { Credentials, SessionView } from '@holdfast/contracts';
import { AppError } from '../kernel/index.js';
import { generatePassword } from './accounts.rules.js';
import { authenticate, findSignedOut, getMe } from './authenticate.js';
import type { AccountsNeeds } from './needs.js';
import { changePassword, resetPassword } from './passwords.js';
import { issueSession, logOut, refreshSession, type SessionSettings, sessionView } from './sessions.js';
import { tokens, users } from './tables.js';
import { issueTicket, redeemTicket } from './tickets.js';
import { createToken, deleteToken, listTokens, tokenSweeper } from './tokens.js';
import { createUser, deleteUser, ensureInitialAdmin, getUser, listUsers, updateUser } from './users.js';

export type AuthDependencies = Pick<AccountsNeeds, 'storage' | 'clock' | 'log' | 'passwords'> &
  SessionSettings;

export const authUseCases = (dependencies: AuthDependencies) => ({
  authenticate: authenticate(dependencies),
  changePassword: changePassword(dependencies),
  createToken: createToken(dependencies),
  createUser: createUser(dependencies),
  deleteToken: deleteToken(dependencies),
  deleteUser: deleteUser(dependencies),
  ensureInitialAdmin: ensureInitialAdmin(dependencies),
  findSignedOut: findSignedOut(dependencies),
  getMe: getMe(dependencies),
  getUser: getUser(dependencies),
  issueTicket: issueTicket(dependencies),
  listTokens: listTokens(dependencies),
  listUsers: listUsers(dependencies),
  logIn: logIn(dependencies),
  logOut: logOut(dependencies),
  redeemTicket: redeemTicket(dependencies),
  refreshSession: refreshSession(dependencies),
  resetPassword: resetPassword(dependencies),
  updateUser: updateUser(dependencies),
});

export type AuthUseCases = ReturnType<typeof authUseCases>;

type Needs = Pick<AccountsNeeds, 'storage' | 'clock' | 'log' | 'passwords'> & SessionSettings;

/**
 * Creates a session for a correct username and password. Throws AppError `unauthenticated` otherwise. An
 * unknown name takes as long as a wrong password, so that names cannot be probed.
 */
export const logIn = (needs: Needs) => {
  const { storage, clock, passwords, settings } = needs;
  const sweepTokens = tokenSweeper(needs);
  let dummyHash: Promise<string> | undefined;

  return async ({ username, password }: Credentials): Promise<SessionView> => {
    dummyHash ??= passwords.hash(generatePassword());
    const hashOfNobody = await dummyHash;
    const [user] = await storage.find(users, { where: { username }, limit: 1 });
    const right = await passwords.verify(user?.password_hash ?? hashOfNobody, password);
    if (!user || !right) throw wrong();
    if (!user.is_active) throw deactivated();

    const session = await issueSession(needs, user.id);
    // If the account changed while the password was checked, the token is removed again.
    const unchanged = { id: user.id, password_hash: user.password_hash, is_active: true };
    if ((await storage.update(users, unchanged, { last_login: clock.now() })) === 0) {
      await storage.remove(tokens, { id: session.row.id });
      throw wrong();
    }
    await sweepTokens();
    return sessionView(session, { settings, mustChangePassword: user.must_change_password });
  };
};

const wrong = () => new AppError('unauthenticated', 'The username or the password is wrong.');
const deactivated = () =>
  new AppError('unauthenticated', 'This account is deactivated: ask an administrator to activate it.');
