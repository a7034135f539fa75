import { hostKeyFingerprint } from '../../src/backup/ssh/ssh.rules.js';
import { RemoteHostError, type RemoteHostErrorKind } from '../../src/foundation/kernel/errors.js';
import type { RemoteAccount, RemoteEntry, RemoteHost } from '../../src/foundation/ports/remote-host.js';

export const keyA = `ssh-ed25519 ${Buffer.from('host key a').toString('base64')}`;
export const keyB = `ssh-ed25519 ${Buffer.from('host key b').toString('base64')}`;
export const password = 'the password of the host';

/** One host that keeps the promises of the port: password, keys that were deployed, and a host key of its own. */
export function fakeHost() {
  const state = {
    hostKey: keyA,
    authorized: new Set<string>(),
    /** What the next calls fail with. */
    failing: null as RemoteHostErrorKind | null,
    takesKeys: true,
    entries: [] as RemoteEntry[],
    usage: { total: 1000, used: 250, available: 750, percentUsed: 25 } as Awaited<
      ReturnType<RemoteHost['storageUsage']>
    >,
    /** Accounts of all calls. */
    seen: [] as RemoteAccount[],
    /** Awaited in each call, before anything else. */
    before: async () => {},
  };

  async function enter(account: RemoteAccount) {
    await state.before();
    state.seen.push(account);
    if (state.failing) throw new RemoteHostError(state.failing, `it is ${state.failing}`, { step: 'x' });
    const { hostKey, expectedFingerprint, authentication } = account;
    const fingerprint = hostKeyFingerprint(state.hostKey);
    const wanted = hostKey === null ? expectedFingerprint : hostKeyFingerprint(hostKey);
    if (wanted !== undefined && wanted !== fingerprint) {
      const hostKeys = { offered: state.hostKey, offeredFingerprint: fingerprint, pinnedFingerprint: wanted };
      throw new RemoteHostError('host_key_changed', `${fingerprint} is not ${wanted}`, {
        step: 'x',
        hostKeys,
      });
    }
    const opens =
      'password' in authentication
        ? authentication.password === password
        : state.takesKeys && state.authorized.has(authentication.privateKey);
    if (!opens) {
      throw new RemoteHostError('authentication', 'it is not accepted', {
        step: 'sign in',
        seenHostKey: state.hostKey,
      });
    }
    return { hostKey: state.hostKey, fingerprint };
  }

  const host: RemoteHost = {
    answers: async () => state.failing === null,
    connect: () => Promise.reject(new Error('no sockets')),
    test: async (account) => ({ ...(await enter(account)), allows: 'commands' as const }),
    async deployKey(account, { publicKeyLine }) {
      const seen = await enter(account);
      const privateKey = publicKeyLine.replace('public', 'private');
      const added = !state.authorized.has(privateKey);
      state.authorized.add(privateKey);
      return { ...seen, added };
    },
    async withdrawKey(account, { publicKeyLine }) {
      await enter(account);
      state.authorized.delete(publicKeyLine.replace('public', 'private'));
    },
    async storageUsage(account) {
      await enter(account);
      return state.usage;
    },
    async list(account) {
      await enter(account);
      return state.entries;
    },
    async run() {
      throw new Error('nothing is run here');
    },
  };
  return { host, state };
}
