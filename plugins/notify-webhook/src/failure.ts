import { DeliveryError } from '@holdfast/plugin-api';
import { ForbiddenAddressError } from './guarded-agent.js';

const untrusted =
  'is not signed by an authority that this machine trusts; NODE_EXTRA_CA_CERTS can name one more, and verify=no in the URL does without';

/** By the code of the error; the name of the host is put before. */
const sentences: Record<string, string> = {
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: 'closed the connection without an answer',
  EPIPE: 'closed the connection without an answer',
  UND_ERR_SOCKET: 'closed the connection without an answer',
  ENOTFOUND: 'has a name that nobody knows',
  EAI_AGAIN: 'has a name that can not be looked up now',
  EHOSTUNREACH: 'can not be reached from here',
  ENETUNREACH: 'can not be reached from here',
  ETIMEDOUT: 'does not take the connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'does not take the connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'took the message and did not answer in time',
  UND_ERR_HEADERS_OVERFLOW: 'answered with headers that are too long',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: `has a certificate that ${untrusted}`,
  SELF_SIGNED_CERT_IN_CHAIN: `has a certificate that ${untrusted}`,
  UNABLE_TO_GET_ISSUER_CERT: `has a certificate that ${untrusted}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `has a certificate that ${untrusted}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `has a certificate that ${untrusted}`,
};

export const forbiddenAddress = (host: string, address: string): string =>
  `${host} is at ${address}, a link-local or metadata address; NOTIFY_ALLOWED_NETWORKS can allow it.`;

/** Why nothing came back from a host, in one sentence for people. */
export function failureOf(host: string, error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (error instanceof ForbiddenAddressError) {
    return new DeliveryError(forbiddenAddress(host, error.message), { retryable: false });
  }
  const { name = '', code = '' } = (error ?? {}) as { name?: string; code?: unknown };
  return new DeliveryError(`${host} ${sentenceFor(name, String(code))}.`, { retryable: true, cause: error });
}

function sentenceFor(name: string, code: string): string {
  if (name === 'TimeoutError') return 'did not take the message in time';
  if (name === 'AbortError') return 'did not take the message before it was given up';
  if (name === 'HTTPParserError' || code.startsWith('HPE_')) return 'answered with something that is no HTTP';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return 'does not speak TLS as it should';
  return sentences[code] ?? `could not be sent the message (${code || name || 'unknown error'})`;
}
