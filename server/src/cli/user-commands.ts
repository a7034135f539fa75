import { askSecret } from '@holdfast/cli/service';
import {
  authUseCases,
  generatePassword,
  passwordProblem,
  type SecretBox,
  users,
} from '@holdfast/core/server';
import type { StorageBackend } from '@holdfast/plugin-api';
import { passkeyTool } from '../adapters/passkey-tool.js';
import { argon2PasswordHash } from '../adapters/password-hash.js';
import { systemClock } from '../adapters/system-clock.js';
import type { Configuration } from '../config.js';
import { noteCommand, secretsOf } from './audit-note.js';
import { configurationOfProcess } from './environment.js';
import { CommandError } from './exit.js';
import { quietLog } from './quiet-log.js';
import { withStorage } from './with-storage.js';

interface Options {
  generate?: boolean;
  activate?: boolean;
}

export function userResetPassword(username: string, options: Options): Promise<number> {
  const configuration = configurationOfProcess();
  return withStorage(configuration, (storage) => reset(storage, configuration, { username, ...options }));
}

async function reset(
  storage: StorageBackend,
  settings: Configuration,
  { username, generate, activate }: Options & { username: string },
): Promise<number> {
  const user = await findUser(storage, username);
  if (!user.is_active && !activate)
    throw new CommandError(`The account ${username} is deactivated. Add --activate to activate it.`);
  const newPassword = generate ? generatePassword() : await askSecret(`New password for ${username}`);
  const problem = passwordProblem(newPassword);
  if (problem !== null) throw new CommandError(`The password ${problem}. Nothing was changed.`);
  const secrets = await secretsOf(storage, settings);
  const auth = accountsOf({ storage, settings, secrets });
  await auth.resetPassword(operator, { id: user.id, newPassword });
  if (activate) await activateUser(storage, user.id);
  const about = { object_kind: 'user', object_id: `${user.id}` };
  await noteCommand({ storage, secrets }, 'commandResetPassword', about);
  console.log(
    `The password of ${username} was changed. All sessions and tokens of the account were revoked.`,
  );
  if (generate) console.log(`New password: ${newPassword} (shown only now)`);
  console.log('The user must change it at the next login.');
  return 0;
}

const accountsOf = (given: { storage: StorageBackend; settings: Configuration; secrets: SecretBox }) =>
  authUseCases({
    ...given,
    clock: systemClock,
    log: quietLog,
    passwords: argon2PasswordHash,
    passkeyTool,
    signIns: [],
  });

export function userResetFactor(username: string): Promise<number> {
  const settings = configurationOfProcess();
  return withStorage(settings, async (storage) => {
    const user = await findUser(storage, username);
    const secrets = await secretsOf(storage, settings);
    await accountsOf({ storage, settings, secrets }).resetFactor(operator, user.id);
    const about = { object_kind: 'user', object_id: `${user.id}` };
    await noteCommand({ storage, secrets }, 'commandResetFactor', about);
    console.log(`The second factor of ${username} was removed, and the user was signed out everywhere.`);
    console.log('The next sign-in needs only the password. API tokens were kept.');
    return 0;
  });
}

/** Anyone who can run this command has full access anyway. */
const operator = { userId: 0, username: '', isAdmin: true, readOnly: false, tokenId: 0 };

async function findUser(storage: StorageBackend, username: string) {
  const [user] = await storage.find(users, { where: { username }, limit: 1 });
  if (user) return user;
  const known = (await storage.find(users, { limit: 20 })).map((each) => each.username);
  throw new CommandError(`There is no user ${username}. Users: ${known.join(', ') || 'none'}.`);
}

async function activateUser(storage: StorageBackend, id: number): Promise<void> {
  const admins = await storage.find(users, { where: { is_admin: true, is_active: true }, limit: 1 });
  await storage.update(
    users,
    { id },
    { is_active: true, ...(admins.length === 0 && { is_admin: true, grants: null }) },
  );
}
