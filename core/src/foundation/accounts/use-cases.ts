import type { Credentials, SessionView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { useCasesOf } from '../kernel/index.js';
import { authenticate, findSignedOut, getMe } from './authenticate.js';
import {
  completeBrowserSession,
  endBrowserSession,
  openBrowserSession,
  refreshBrowserSession,
} from './browser-sessions.js';
import { confirmPassword, refuseUnconfirmed } from './confirmation.js';
import { listIdentities, unlinkIdentity } from './identities.js';
import {
  confirmByPasskey,
  offerPasskeyConfirmation,
  offerPasskeySignIn,
  signInWithPasskey,
} from './passkey-sign-in.js';
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  setUpPasskey,
  userOfPasskey,
} from './passkeys.js';
import { changePassword, resetPassword } from './passwords.js';
import type { ProviderNeeds } from './provider-calls.js';
import { beginLink, beginSignIn, finishVisit, listSignIns } from './providers.js';
import {
  answerChallenge,
  checkCode,
  disableTotp,
  enableTotp,
  renewRecoveryCodes,
  resetFactor,
  setUpTotp,
  userOfChallenge,
} from './second-factor.js';
import { issueSession, logOut, refreshSession, sessionView } from './sessions.js';
import { signIn } from './sign-in.js';
import type { UserRow } from './tables.js';
import { issueTicket, redeemTicket } from './tickets.js';
import { createToken, deleteToken, listTokens } from './tokens.js';
import { createUser, deleteUser, ensureInitialAdmin, getUser, listUsers, updateUser } from './users.js';

export type AuthDependencies = ProviderNeeds;

export const authUseCases = (dependencies: AuthDependencies) => ({
  ...useCasesOf(dependencies, {
    addPasskey,
    beginLink,
    beginSignIn,
    changePassword,
    completeBrowserSession,
    completeLogin,
    confirmByPasskey,
    confirmPassword,
    createToken,
    createUser,
    deleteToken,
    deleteUser,
    disableTotp,
    enableTotp,
    endBrowserSession,
    ensureInitialAdmin,
    findSignedOut,
    finishVisit,
    getMe,
    getUser,
    issueTicket,
    listPasskeys,
    listIdentities,
    listSignIns,
    listTokens,
    listUsers,
    logOut,
    offerPasskeyConfirmation,
    offerPasskeySignIn,
    redeemTicket,
    refreshBrowserSession,
    refreshSession,
    refuseUnconfirmed,
    removePasskey,
    renamePasskey,
    renewRecoveryCodes,
    resetFactor,
    resetPassword,
    setUpPasskey,
    setUpTotp,
    signInWithPasskey,
    unlinkIdentity,
    updateUser,
    userOfChallenge,
    userOfPasskey,
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
  const signUserIn = signIn(needs);
  return (credentials: Credentials): Promise<SessionView> =>
    signUserIn(credentials, (session, user) => beginSession(needs, session, user));
};

/** The rest of it, after the second factor. */
const completeLogin = (needs: AuthDependencies, answer: { challenge: string; code: string }) =>
  answerChallenge(needs, { ...answer, check: checkCode(needs, answer.code) }, (session, user) =>
    beginSession(needs, session, user),
  );

async function beginSession({ clock, settings }: AuthDependencies, storage: StorageSession, user: UserRow) {
  const session = await issueSession({ storage, clock, settings }, user.id);
  return sessionView(session, { settings, mustChangePassword: user.must_change_password });
}
