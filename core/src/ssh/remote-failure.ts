import {
  AppError,
  conflict,
  forbidden,
  isRemoteHostError,
  type Message,
  notFound,
  type RemoteHostError,
  type RemoteHostErrorKind,
  say,
} from '../kernel/index.js';

/** `problem` names both fingerprints. */
export const hostKeyChanged = (problem: string): Message => say('host_key_changed')`${{ problem }}`;

const messages: Record<RemoteHostErrorKind, (problem: string) => Message> = {
  unreachable: (problem) => say('host_unreachable')`${{ problem }}`,
  timeout: (problem) => say('host_silent')`${{ problem }}`,
  authentication: (problem) => say('host_sign_in_rejected')`${{ problem }}`,
  host_key_changed: hostKeyChanged,
  protocol: (problem) => say('host_protocol_unusable')`${{ problem }}`,
  refused: (problem) => say('host_refused')`${{ problem }}`,
  missing: (problem) => say('host_path_missing')`${{ problem }}`,
  permission: (problem) => say('host_path_denied')`${{ problem }}`,
  disk_full: (problem) => say('host_disk_full')`${{ problem }}`,
  cancelled: (problem) => say('host_work_cancelled')`${{ problem }}`,
  failed: (problem) => say('host_work_failed')`${{ problem }}`,
};

/** The text of the error, with a code for its kind. */
export const remoteMessage = ({ kind, message }: RemoteHostError): Message => messages[kind](message);

const retryAfterSeconds = 30;

/** The AppError for a request that failed because of the host. */
export function remoteFailure(error: RemoteHostError): AppError {
  const message = remoteMessage(error);
  const cause = error;
  switch (error.kind) {
    case 'missing':
      return notFound(message, { cause });
    case 'permission':
      return forbidden(message, { cause });
    case 'host_key_changed':
    case 'refused':
      return conflict(message, { cause });
    case 'unreachable':
    case 'timeout':
      return new AppError('unavailable', message, { cause, retryAfterSeconds });
    default:
      return new AppError('unavailable', message, { cause });
  }
}

/** Runs a step on a host and turns RemoteHostErrors into AppErrors. */
export async function onRemoteHost<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw isRemoteHostError(error) ? remoteFailure(error) : error;
  }
}
