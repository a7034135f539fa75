import type { Credentials, SessionView } from '@holdfast/contracts';
import { authenticate, findSignedOut, getMe } from './authenticate.js';
import { endBrowserSession, openBrowserSession, refreshBrowserSession } from './browser-sessions.js';
import { confirmPassword, refuseUnconfirmed } from './confirmation.js';
import type { AccountsNeeds } from './needs.js';
import { changePassword, resetPassword } from './passwords.js';
import { issueSession, logOut, refreshSession, type SessionSettings, sessionView } from './sessions.js';
import { signIn } from './sign-in.js';
import { issueTicket, redeemTicket } from './tickets.js';
import { createToken, deleteToken, listTokens } from './tokens.js';
import { createUser, deleteUser, ensureInitialAdmin, getUser, listUsers, updateUser } from './users.js';

export type AuthDependencies = Pick<AccountsNeeds, 'storage' | 'clock' | 'log' | 'passwords'> &
  SessionSettings;

export const authUseCases = (dependencies: AuthDependencies) => ({
  authenticate: authenticate(dependencies),
  changePassword: changePassword(dependencies),
  confirmPassword: confirmPassword(dependencies),
  createToken: createToken(dependencies),
  createUser: createUser(dependencies),
  deleteToken: deleteToken(dependencies),
  deleteUser: deleteUser(dependencies),
  endBrowserSession: endBrowserSession(dependencies),
  ensureInitialAdmin: ensureInitialAdmin(dependencies),
  findSignedOut: findSignedOut(dependencies),
  getMe: getMe(dependencies),
  getUser: getUser(dependencies),
  issueTicket: issueTicket(dependencies),
  listTokens: listTokens(dependencies),
  listUsers: listUsers(dependencies),
  logIn: logIn(dependencies),
  logOut: logOut(dependencies),
  openBrowserSession: openBrowserSession(dependencies),
  redeemTicket: redeemTicket(dependencies),
  refreshBrowserSession: refreshBrowserSession(dependencies),
  refreshSession: refreshSession(dependencies),
  refuseUnconfirmed: refuseUnconfirmed(dependencies),
  resetPassword: resetPassword(dependencies),
  updateUser: updateUser(dependencies),
});

export type AuthUseCases = ReturnType<typeof authUseCases>;

/**
 * Creates a session for a correct username and password. Throws AppError `unauthenticated` otherwise.
 */
const logIn = (needs: AuthDependencies) => {
  const { clock, settings } = needs;
  const signUserIn = signIn(needs);
  return (credentials: Credentials): Promise<SessionView> =>
    signUserIn(credentials, async (storage, user) => {
      const session = await issueSession({ storage, clock, settings }, user.id);
      return sessionView(session, { settings, mustChangePassword: user.must_change_password });
    });
};
