import { DriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { ToolExit } from './process.js';

type Refusal = (facts: { host: string; pinned: string; offered: string | undefined }) => DriverError;

const connection =
  (text: (host: string) => string): Refusal =>
  ({ host }) =>
    new DriverError('connection', text(host));

const lost = connection(
  (host) => `The connection to ${host} was lost. The next run goes on from what is there.`,
);

export const toolMissing = (host: string): DriverError =>
  new DriverError(
    'tool_missing',
    `borg was not found on ${host}. Install it there, or set remote_path to where it is.`,
  );

/** What ssh says, in the order of its steps. */
const ofSsh: [RegExp, Refusal][] = [
  [
    /Host key verification failed|HOST IDENTIFICATION HAS CHANGED/,
    ({ host, pinned, offered }) =>
      new DriverError(
        'host_key_changed',
        `The host key of ${host} is not the known one: known is ${pinned}, ` +
          `${offered ? `now it shows ${offered}` : 'now it shows another'}. Nothing was sent. ` +
          'When the change is right, an administrator accepts it for the connection.',
      ),
  ],
  [/Could not resolve hostname/, connection((host) => `The name of ${host} is not known. Check the host.`)],
  [
    /Connection refused/,
    connection(
      (host) => `${host} refuses the connection. Check the port, and that an SSH server runs there.`,
    ),
  ],
  [
    /No route to host|Network is unreachable/,
    connection((host) => `There is no way to ${host}. Check the network and the host.`),
  ],
  [
    /timed out|Timeout, server .* not responding|banner exchange.*[Tt]imeout/,
    connection((host) => `${host} does not answer in time. Check that the host is up and its port is right.`),
  ],
  [
    /Permission denied \(|Too many authentication failures/,
    connection(
      (host) => `${host} does not take the key for this user. Deploy the key to the connection again.`,
    ),
  ],
  [/closed by remote host|Connection reset|Broken pipe|Connection closed/, lost],
  [
    /UNPROTECTED PRIVATE KEY|bad permissions|invalid format|error in libcrypto/,
    connection(() => 'The private key on this machine could not be used by ssh.'),
  ],
];

/** What the far side's shell or tool says. */
const ofFarSide: [RegExp, Refusal][] = [
  [/command not found|: not found|No such file or directory\s*$/m, ({ host }) => toolMissing(host)],
];

/** What borg says of its own side. */
const ofTool: [RegExp, Refusal][] = [
  [/BrokenPipeError|ConnectionResetError/, lost],
  [
    /No such file or directory: 'ssh'/,
    () => new DriverError('tool_missing', 'ssh was not found on this machine. Install the OpenSSH client.'),
  ],
  [
    /unexpected RPC data format from server/,
    connection(
      (host) =>
        `${host} answers with text of its own instead of borg's. Either it runs no commands for this user, or ` +
        "its shell's start files print something when nobody is at a terminal: remove that.",
    ),
  ],
];

/** Why a remote command failed, in words that help; null when nothing told more than the tool's own message. */
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
    ofFarSide.find(([pattern]) => pattern.test(texts(exit.log.warnings))) ??
    ofTool.find(([pattern]) => pattern.test(texts(exit.log.errors)));
  return found ? found[1](facts) : null;
}

export const hostOf = (location: string): string =>
  /^ssh:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/]*)/.exec(location)?.[1] ?? 'the host';
