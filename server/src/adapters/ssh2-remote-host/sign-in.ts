import type { Duplex } from 'node:stream';
import { isRemoteHostError, type RemoteAccount, RemoteHostError } from '@holdfast/core/server';
import type {
  AnyAuthMethod,
  AuthenticationType,
  Client,
  NextAuthHandler,
  ServerHostKeyAlgorithm,
} from 'ssh2';
import { handshakeFailure } from './failures.js';
import { hostKeyProblem, hostKeyText } from './host-key.js';
import { keepAliveMs, silenceMs } from './limits.js';

interface SigningIn {
  client: Client;
  socket: Duplex;
  account: RemoteAccount;
  algorithms: ServerHostKeyAlgorithm[];
  longLived: boolean;
}

/**
 * Handshake and authentication. Resolves with the host key as `type base64`. Sends neither the user name nor
 * a secret before the host key is checked. Rejects with RemoteHostError.
 */
export function signIn({ client, socket, account, algorithms, longLived }: SigningIn): Promise<string> {
  let seen: string | undefined;
  let problem: RemoteHostError | null = null;
  return new Promise((resolve, reject) => {
    client.once('ready', () => resolve(seen ?? ''));
    client.once('error', (error) => reject(problem ?? withHostKey(handshakeFailure(account, error), seen)));
    client.connect({
      sock: socket,
      username: account.username,
      readyTimeout: silenceMs,
      algorithms: { serverHostKey: algorithms },
      hostVerifier: (blob: Buffer) => {
        const shown = hostKeyText(blob);
        problem = hostKeyProblem(account, shown);
        if (problem === null) seen = shown;
        return problem === null;
      },
      authHandler: authHandler(account),
      ...(longLived ? { keepaliveInterval: keepAliveMs, keepaliveCountMax: 3 } : {}),
    });
  });
}

/** The host proved its key before it rejected the login, so the error includes the key. */
function withHostKey(error: RemoteHostError, seenHostKey: string | undefined): RemoteHostError {
  if (!isRemoteHostError(error, 'authentication')) return error;
  return new RemoteHostError(error.kind, error.message, { ...error.options, seenHostKey });
}

/** Offers the key, or the password, also as keyboard-interactive. */
function authHandler(account: RemoteAccount) {
  const methods = methodsOf(account);
  return (left: AuthenticationType[] | null, _partial: boolean | null, next: NextAuthHandler) => {
    let method = methods.shift();
    while (method && left && !left.includes(method.type)) method = methods.shift();
    // `false` means that there are no more methods; the types lack it.
    next(method ?? (false as unknown as AnyAuthMethod));
  };
}

function methodsOf({ username, authentication }: RemoteAccount): AnyAuthMethod[] {
  if ('privateKey' in authentication) {
    return [{ type: 'publickey', username, key: authentication.privateKey }];
  }
  const { password } = authentication;
  let asked = false;
  return [
    { type: 'password', username, password },
    {
      type: 'keyboard-interactive',
      username,
      prompt(_name, _instructions, _language, prompts, finish) {
        const answers = prompts.map(({ echo }) => (echo || asked ? '' : password));
        if (prompts.length > 0) asked = true;
        finish(answers);
      },
    },
  ];
}
