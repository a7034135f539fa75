import {
  AppError,
  conflict,
  forbidden,
  isRemoteHostError,
  notFound,
  type RemoteHostError,
} from '../kernel/errors.js';

const retryAfterSeconds = 30;

/** What a caller is told when the request needed the host. */
export function remoteFailure(error: RemoteHostError): AppError {
  const { message } = error;
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

/** Runs a step on a host; its RemoteHostErrors come out as AppErrors. */
export async function onRemoteHost<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw isRemoteHostError(error) ? remoteFailure(error) : error;
  }
}
