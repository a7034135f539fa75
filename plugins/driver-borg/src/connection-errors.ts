import { DriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { ToolExit } from './process.js';

type Failure = (facts: { host: string; pinned: string; offered: string | undefined }) => DriverError;

const connection =
  (text: (host: string) => string): Failure =>
  ({ host }) =>
    new DriverError('connection', text(host));

const lost = connection(
  (host) => `The connection to ${host} was lost. The next run continues from what was saved.`,
);

export const toolMissing = (host: string): DriverError =>
  new DriverError(
    'tool_missing',
    `Borg was not found on ${host}. Install it, or set remote_path to its path.`,
  );

/** ssh's messages, in the order of its steps. */
const ofSsh: [RegExp, Failure][] = [
  [
    /Host key verification failed|HOST IDENTIFICATION HAS CHANGED/,
    ({ host, pinned, offered }) =>
      new DriverError(
        'host_key_changed',
        `The host key of ${host} has changed: expected ${pinned}, got ${offered ?? 'another one'}. Nothing ` +
          'was sent. If the change is legitimate, an administrator can accept it for the connection.',
      ),
  ],
  [
    /no matching (host key type|key exchange method|cipher|MAC) found/,
    connection(
      (host) =>
        `${host} only offers old SSH algorithms, such as ssh-rsa host keys, which ssh refuses. Update its SSH ` +
        'server, or make a newer host key there: ssh-keygen -A.',
    ),
  ],
  [
    /Could not resolve hostname/,
    connection((host) => `The host name ${host} could not be resolved. Check the host.`),
  ],
  [
    /Connection refused/,
    connection(
      (host) => `${host} refuses the connection. Check the port, and that an SSH server runs there.`,
    ),
  ],
  [
    /No route to host|Network is unreachable/,
    connection((host) => `${host} is unreachable. Check the network and the host.`),
  ],
  [
    /timed out|Timeout, server .* not responding|banner exchange.*[Tt]imeout/,
    connection(
      (host) => `${host} did not respond in time. Check that the host is up and the port is correct.`,
    ),
  ],
  [
    /Permission denied \(|Too many authentication failures/,
    connection(
      (host) => `${host} rejected the SSH key for this user. Deploy the key for the connection again.`,
    ),
  ],
  [/closed by remote host|Connection reset|Broken pipe|Connection closed/, lost],
  [
    /UNPROTECTED PRIVATE KEY|bad permissions|invalid format|error in libcrypto/,
    connection(() => 'ssh could not use the private key on this server.'),
  ],
];

/** Messages of the remote shell or tool. */
const ofRemote: [RegExp, Failure][] = [
  [/command not found|: not found|No such file or directory\s*$/m, ({ host }) => toolMissing(host)],
];

/** Messages of the local borg. */
const ofTool: [RegExp, Failure][] = [
  [/BrokenPipeError|ConnectionResetError/, lost],
  [
    /No such file or directory: 'ssh'/,
    () => new DriverError('tool_missing', 'ssh was not found on this server. Install the OpenSSH client.'),
  ],
  [
    /unexpected RPC data format from server/,
    connection(
      (host) =>
        `${host} did not respond like Borg. Either it runs no commands for this user, or its shell's ` +
        'startup files print text in non-interactive sessions: remove that output.',
    ),
  ],
];

/** Explains why a remote command failed; null if the tool's own message says as much. */
export function connectionFailure(target: RepositoryTarget, exit: ToolExit): DriverError | null {
  const log = exit.connectionLog ?? '';
  const texts = (messages: { text: string }[]) => messages.map(({ text }) => text).join('\n');
  const facts = {
    host: hostOf(target.location),
    pinned: target.transport?.fingerprint ?? 'none',
    offered: /^(?:Remote: )?(SHA256:[A-Za-z0-9+/]{43})/m.exec(log)?.[1],
  };
  const found =
    ofSsh.find(([pattern]) => pattern.test(log)) ??
    ofRemote.find(([pattern]) => pattern.test(texts(exit.log.warnings))) ??
    ofTool.find(([pattern]) => pattern.test(texts(exit.log.errors)));
  return found ? found[1](facts) : null;
}

export const hostOf = (location: string): string =>
  /^ssh:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/]*)/.exec(location)?.[1] ?? 'the host';
