import {
  AppError,
  conflict,
  forbidden,
  isRemoteHostError,
  messageOf,
  notFound,
  type RemoteHostError,
} from '../../foundation/kernel/index.js';

const retryAfterSeconds = 30;

/** The AppError for a request that failed because of the host. */
export function remoteFailure(error: RemoteHostError): AppError {
  const message = messageOf(error);
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
