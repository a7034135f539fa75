import { isRemoteHostError, type RemoteAccount, RemoteHostError } from '@holdfast/core/server';

type Place = Pick<RemoteAccount, 'host' | 'port' | 'username' | 'authentication'>;

const nobodyThere: Record<string, string> = {
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name can’t be looked up now',
  ECONNREFUSED: 'nothing listens there',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there',
  EADDRNOTAVAIL: 'no way leads there',
  EACCES: 'this machine does not allow it',
};

/** A failure of the TCP connection. */
export function socketFailure({ host, port }: Place, error: NodeJS.ErrnoException): RemoteHostError {
  const where = `${host} port ${port}`;
  const options = { step: 'connect', cause: error };
  const why = nobodyThere[error.code ?? ''];
  if (why) return new RemoteHostError('unreachable', `${where} can't be reached: ${why}.`, options);
  if (error.code === 'ETIMEDOUT') return silent({ host, port }, 'connect');
  return new RemoteHostError(
    'unreachable',
    `The connection to ${where} broke (${error.code ?? 'no reason given'}).`,
    options,
  );
}

export const silent = ({ host, port }: Pick<Place, 'host' | 'port'>, step: string) =>
  new RemoteHostError('timeout', `${host} port ${port} does not answer (step: ${step}): try again later.`, {
    step,
  });

export const cancelled = (step: string) =>
  new RemoteHostError('cancelled', 'The work on the host was cancelled.', { step });

export const broken = ({ host, port }: Pick<Place, 'host' | 'port'>, step: string, cause?: Error) =>
  new RemoteHostError('unreachable', `The connection to ${host} port ${port} broke (step: ${step}).`, {
    step,
    cause,
  });

/** What the library reports before the host let us in. */
export function handshakeFailure(
  place: Place,
  error: Error & { level?: string; code?: string },
): RemoteHostError {
  if (isRemoteHostError(error)) return error;
  const { host, port } = place;
  if (error.level === 'client-timeout') return silent(place, 'handshake');
  if (error.level === 'client-authentication' || /authentication failures/i.test(error.message)) {
    return refusedSignIn(place, error);
  }
  if (error.level === 'client-socket' || error.level === 'client-dns') return socketFailure(place, error);
  const message = `${host} port ${port} does not speak SSH as it should (${reason(error)}): check host and port.`;
  return new RemoteHostError('protocol', message, { step: 'handshake', cause: error });
}

function refusedSignIn({ host, username, authentication }: Place, cause: Error): RemoteHostError {
  const [what, step] =
    'password' in authentication
      ? [`${host} does not accept this user and password: check them.`, 'sign in with the password']
      : [`${host} does not accept the SSH key for ${username}: deploy it there.`, 'sign in with the key'];
  return new RemoteHostError('authentication', what, { step, cause });
}

/** One line of bounded length: it may hold what the host sent. */
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

/** By what a program wrote about it. */
export function commandFailure(step: string, stderr: string): RemoteHostError {
  const said = oneLine(stderr);
  const because = said ? `: ${said}` : '';
  if (/no space left|quota exceeded/i.test(stderr)) {
    return new RemoteHostError('disk_full', `The disk of the host is full (step: ${step})${because}.`, {
      step,
    });
  }
  if (/permission denied|read-only|not permitted/i.test(stderr)) {
    return new RemoteHostError('permission', `The account may not ${step}${because}.`, { step });
  }
  return new RemoteHostError('failed', `The host could not ${step}${because}.`, { step });
}

export const noCommands = (step: string, said: string) =>
  new RemoteHostError(
    'refused',
    `The host runs no shell commands for this account (step: ${step})${said ? `: ${oneLine(said)}` : ''}. ` +
      'Where it has SFTP, set use_sftp_mode to true.',
    { step },
  );
