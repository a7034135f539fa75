import type { Dependencies } from '../dependencies.js';
import { authenticate } from './authenticate.js';
import { changePassword } from './change-password.js';
import { createToken } from './create-token.js';
import { createUser } from './create-user.js';
import { deleteToken } from './delete-token.js';
import { deleteUser } from './delete-user.js';
import { ensureInitialAdmin } from './ensure-initial-admin.js';
import { findSignedOut } from './find-signed-out.js';
import { getMe } from './get-me.js';
import { getUser } from './get-user.js';
import { issueTicket } from './issue-ticket.js';
import { listTokens } from './list-tokens.js';
import { listUsers } from './list-users.js';
import { logIn } from './log-in.js';
import { logOut } from './log-out.js';
import { redeemTicket } from './redeem-ticket.js';
import { refreshSession } from './refresh-session.js';
import { resetPassword } from './reset-password.js';
import type { SessionSettings } from './sessions.js';
import { updateUser } from './update-user.js';

export type AuthDependencies = Pick<Dependencies, 'storage' | 'clock' | 'log' | 'passwords'> &
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
