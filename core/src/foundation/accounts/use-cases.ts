import type { Credentials, SessionView } from '@holdfast/contracts';
import { useCasesOf } from '../kernel/index.js';
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

export type AuthDependencies = AccountsNeeds & SessionSettings;

export const authUseCases = (dependencies: AuthDependencies) => ({
  ...useCasesOf(dependencies, {
    changePassword,
    confirmPassword,
    createToken,
    createUser,
    deleteToken,
    deleteUser,
    endBrowserSession,
    ensureInitialAdmin,
    findSignedOut,
    getMe,
    getUser,
    issueTicket,
    listTokens,
    listUsers,
    logOut,
    redeemTicket,
    refreshBrowserSession,
    refreshSession,
    refuseUnconfirmed,
    resetPassword,
    updateUser,
  }),
  authenticate: authenticate(dependencies),

  logIn: logIn(dependencies),

  openBrowserSession: openBrowserSession(dependencies),
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
