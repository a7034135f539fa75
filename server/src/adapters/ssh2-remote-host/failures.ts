import {
  asReason,
  isRemoteHostError,
  messageOf,
  type RemoteAccount,
  RemoteHostError,
  say,
} from '@holdfast/core/server';

type Place = Pick<RemoteAccount, 'host' | 'port' | 'username' | 'authentication'>;

const unreachableReasons: Record<string, string> = {
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  EADDRNOTAVAIL: 'there is no route to it',
  EACCES: 'this server does not allow the connection',
};

/** A failure of the TCP connection. */
export function socketFailure({ host, port }: Place, error: NodeJS.ErrnoException): RemoteHostError {
  const options = { step: 'connect', cause: error };
  const { code = 'no reason given' } = error;
  const why = unreachableReasons[code];
  if (why) return new RemoteHostError('unreachable', notReached({ host, port }, why), options);
  if (code === 'ETIMEDOUT') return silent({ host, port }, 'connect');
  return new RemoteHostError('unreachable', lost({ host, port }, code), options);
}

type Address = Pick<Place, 'host' | 'port'>;
const notReached = ({ host, port }: Address, why: string) =>
  say`host_not_reached: ${{ host }} port ${{ port }} can't be reached: ${{ why }}.`;
const lost = ({ host, port }: Address, detail: string) =>
  say`host_connection_lost: The connection to ${{ host }} port ${{ port }} was lost (${{ detail }}).`;

/** A failure of a jump host, which says nothing about the key or login of the host itself. */
export function atJump(error: unknown): unknown {
  if (!isRemoteHostError(error) || error.kind === 'cancelled') return error;
  const kind = error.kind === 'timeout' ? 'timeout' : 'unreachable';
  const { step } = error.options;
  const { message: problem, sentence } = error;
  const said = typeof sentence === 'string' ? messageOf(error) : sentence;
  const message = say`host_on_the_way: On a jump host: ${{ problem }}`;
  return new RemoteHostError(kind, message.with(asReason(said, 'problem')), { step, cause: error });
}

/** The jump host opens no connection. OpenSSH gives 1 as the reason when it does not allow that. */
export function notForwarded(to: Place, jump: Place, error: Error & { reason?: unknown }): RemoteHostError {
  const { host, port } = to;
  const message =
    Number(error.reason) === 1
      ? say`host_not_forwarded: ${{ jump: jump.host }} does not forward connections to ${{ host }} port ${{ port }} for ${{ username: jump.username }}: allow it in its sshd_config (AllowTcpForwarding, PermitOpen), and remove \`restrict\` from its authorized_keys.`
      : say`host_not_reached_from: ${{ host }} port ${{ port }} can't be reached from ${{ jump: jump.host }}: ${{ reason: reason(error) }}.`;
  return new RemoteHostError('unreachable', message, { step: 'connect', cause: error });
}

export const silent = ({ host, port }: Address, step: string) =>
  new RemoteHostError('timeout', `${host} port ${port} does not respond (step: ${step}). Try again later.`, {
    step,
  });

export const cancelled = (step: string) =>
  new RemoteHostError('cancelled', 'The work on the host was cancelled.', { step });

export const broken = (address: Address, step: string, cause?: Error) =>
  new RemoteHostError('unreachable', lost(address, `step: ${step}`), { step, cause });

/** Errors of the library before sign-in is complete. */
export function handshakeFailure(
  place: Place,
  error: Error & { level?: string; code?: string },
): RemoteHostError {
  if (isRemoteHostError(error)) return error;
  const { host, port } = place;
  if (error.level === 'client-timeout') return silent(place, 'handshake');
  if (error.level === 'client-authentication' || /authentication failures/i.test(error.message)) {
    return signInFailure(place, error);
  }
  if (error.level === 'client-socket' || error.level === 'client-dns') return socketFailure(place, error);
  const [, tooOld] = /no matching (host key|key exchange|[^ ]* ?(?:cipher|MAC))/i.exec(error.message) ?? [];
  if (tooOld !== undefined)
    return new RemoteHostError('protocol', outdated(place, tooOld), { step: 'handshake' });
  const message = `${host} port ${port} does not speak SSH correctly (${reason(error)}). Check host and port.`;
  return new RemoteHostError('protocol', message, { step: 'handshake', cause: error });
}

/** Later, borg uses OpenSSH, which refuses the same. */
const outdated = ({ host, port }: Place, what: string): string =>
  /host key/i.test(what)
    ? `${host} port ${port} only has old host keys (ssh-rsa with SHA-1, or DSA), which OpenSSH refuses. Update its SSH ` +
      'server, or make a newer host key there: ssh-keygen -A.'
    : `${host} port ${port} only offers old encryption (no common ${what}), which OpenSSH refuses. Update its SSH server.`;

function signInFailure({ host, username, authentication }: Place, cause: Error): RemoteHostError {
  const [what, step] =
    'password' in authentication
      ? [`${host} rejected this user name and password. Check them.`, 'sign in with the password']
      : [`${host} rejected the SSH key for ${username}. Deploy the key to the host.`, 'sign in with the key'];
  return new RemoteHostError('authentication', what, { step, cause });
}

/** One line of bounded length, because it may contain text from the host. */
export const reason = (error: Error) => oneLine(error.message) || 'no reason given';

export const oneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 300);

/** A failure of one step after signing in. */
export function stepFailure(step: string, error: Error): RemoteHostError {
  if (isRemoteHostError(error)) return error;
  return new RemoteHostError('failed', `The host could not ${step}: ${reason(error)}.`, {
    step,
    cause: error,
  });
}

/** Classifies a failure by the program's error output. */
export function commandFailure(step: string, stderr: string): RemoteHostError {
  const output = oneLine(stderr);
  const because = output ? `: ${output}` : '';
  if (/no space left|quota exceeded/i.test(stderr)) {
    return new RemoteHostError('disk_full', `The disk of the host is full (step: ${step})${because}.`, {
      step,
    });
  }
  if (/permission denied|read-only|not permitted/i.test(stderr)) {
    return new RemoteHostError('permission', `The account is not allowed to ${step}${because}.`, { step });
  }
  return new RemoteHostError('failed', `The host could not ${step}${because}.`, { step });
}

export const noCommands = (step: string, output: string) =>
  new RemoteHostError(
    'refused',
    `The host does not run shell commands for this account (step: ${step})${output ? `: ${oneLine(output)}` : ''}. ` +
      'If it supports SFTP, set use_sftp_mode to true. If the key may only run borg serve (authorized_keys), ' +
      'repositories work, but folders, storage usage and pull backups need a key without that restriction.',
    { step },
  );
