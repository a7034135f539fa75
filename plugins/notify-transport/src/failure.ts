import { DeliveryError } from '@holdfast/plugin-api';
import { ForbiddenAddressError } from './guarded-lookup.js';

const untrusted =
  'has a certificate that this server does not trust; add its authority with NODE_EXTRA_CA_CERTS, or put verify=no in the URL';

/** By error code. Each continues a sentence that begins with the host. */
const sentences: Record<string, string> = {
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: 'closed the connection without a response',
  EPIPE: 'closed the connection without a response',
  UND_ERR_SOCKET: 'closed the connection without a response',
  ENOTFOUND: 'is an unknown host name',
  EAI_AGAIN: 'cannot be resolved right now',
  EHOSTUNREACH: 'is unreachable from this server',
  ENETUNREACH: 'is unreachable from this server',
  ETIMEDOUT: 'did not accept the connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept the connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'received the message but did not respond in time',
  UND_ERR_HEADERS_OVERFLOW: 'sent response headers that are too long',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};

export const forbiddenAddress = (host: string, address: string): string =>
  `${host} is at ${address}, a link-local or metadata address; to allow it, add its network to NOTIFY_ALLOWED_NETWORKS.`;

/** Explains in one sentence why a host gave no answer. */
export function failureOf(host: string, error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (error instanceof ForbiddenAddressError) {
    return new DeliveryError(forbiddenAddress(host, error.message), { retryable: false });
  }
  const { name = '', code = '' } = (error ?? {}) as { name?: string; code?: unknown };
  return new DeliveryError(`${host} ${sentenceFor(name, String(code))}.`, { retryable: true, cause: error });
}

function sentenceFor(name: string, code: string): string {
  if (name === 'TimeoutError') return 'did not accept the message in time';
  if (name === 'AbortError') return 'did not accept the message before the delivery was cancelled';
  if (name === 'HTTPParserError' || code.startsWith('HPE_')) return 'sent an invalid HTTP response';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return 'failed the TLS handshake';
  return sentences[code] ?? `did not receive the message (${code || name || 'unknown error'})`;
}
