import { authUseCases } from '../../src/foundation/accounts/use-cases.js';
import type { PasskeyTool } from '../../src/foundation/ports/passkey-tool.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { plainSecrets } from '../fakes/plain-secrets.js';
import { silentLog } from '../fakes/silent-log.js';

/** Counts verifications, so that a test sees that an unknown user costs one too. */
function plainPasswords() {
  return {
    verified: 0,
    hash: async (password: string) => `hash of ${password}`,
    async verify(hash: string, password: string) {
      this.verified += 1;
      return hash === `hash of ${password}`;
    },
  };
}

/** An answer says of itself whether it is valid, and what its counter is. */
const plainPasskeys: PasskeyTool = {
  creation: async ({ known, challenge }) => ({ known: known.length, challenge }),
  created: async ({ response, challenge }) =>
    response.challenge === challenge
      ? { id: `${response.id}`, public_key: 'key', counter: 0, transports: [] }
      : null,
  request: async ({ known, challenge, verifiesUser }) => ({ known: known?.length, challenge, verifiesUser }),
  answered: async ({ response, challenge, verifiesUser }) =>
    response.challenge === challenge && (response.verified || !verifiesUser)
      ? Number(response.counter)
      : null,
};

/** The use cases of authentication over fakes, with the user `admin` (password `first password`). */
export async function makeService() {
  const storage = memoryStorage();
  const clock = manualClock();
  const passwords = plainPasswords();
  const settings = {
    accessTokenMinutes: 60,
    requireSecondFactor: 'off' as 'off' | 'admin' | 'all',
    publicUrl: undefined,
    signIn: { unknownUsers: 'refuse' as const, groups: [] },
  };
  const needs = {
    storage,
    clock,
    log: silentLog(),
    passwords,
    passkeyTool: plainPasskeys,
    secrets: plainSecrets,
    settings,
  };
  const auth = authUseCases({ ...needs, signIns: [] });
  await auth.ensureInitialAdmin('first password');

  const signIn = async (username: string, password: string) => {
    const { access_token: token } = await auth.logIn({ username, password });
    const caller = await auth.authenticate(token);
    if (!caller) throw new Error('a fresh session was refused');
    return { token, caller };
  };
  const admin = () => signIn('admin', 'first password');
  const addUser = async (username: string, isAdmin = false) => {
    const input = { username, password: `password of ${username}`, is_admin: isAdmin };
    return auth.createUser((await admin()).caller, input);
  };
  return { auth, storage, clock, passwords, settings, signIn, admin, addUser };
}

/** What a use case is expected to throw. */
export const appError = (code: string, detail?: RegExp) =>
  ({ name: 'AppError', code, ...(detail ? { detail: expectMatch(detail) } : {}) }) as object;

const expectMatch = (pattern: RegExp) => ({ asymmetricMatch: (text: string) => pattern.test(text) });
