import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent, buildConnector } from 'undici';

export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

export interface AgentOptions {
  isForbidden(address: string): boolean;
  verifyCertificate: boolean;
  /** Milliseconds. */
  connectTimeout: number;
  answerTimeout: number;
}

/**
 * Refuses to connect to forbidden addresses. It checks the very addresses that are connected to: a host name may
 * resolve to another one a moment later.
 */
export function guardedAgent(
  undici: { Agent: typeof Agent; buildConnector: typeof buildConnector },
  { isForbidden, verifyCertificate, connectTimeout, answerTimeout }: AgentOptions,
): Agent {
  const connect = undici.buildConnector({
    lookup: guardedLookup(isForbidden),
    timeout: connectTimeout,
    rejectUnauthorized: verifyCertificate,
  });
  return new undici.Agent({
    headersTimeout: answerTimeout,
    bodyTimeout: answerTimeout,
    connect: (options, callback) => {
      const literal = options.hostname.replace(/^\[|\]$/g, '');
      // Literal addresses are not looked up.
      if (isIP(literal) !== 0 && isForbidden(literal)) callback(new ForbiddenAddressError(literal), null);
      else connect(options, callback);
    },
  });
}

export function guardedLookup(isForbidden: (address: string) => boolean): LookupFunction {
  return (hostname, options: LookupOptions, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, []);
      const [first, ...others] = addresses.filter(({ address }) => !isForbidden(address));
      if (first === undefined) {
        return callback(new ForbiddenAddressError(addresses.map(({ address }) => address).join(', ')), []);
      }
      return options.all ? callback(null, [first, ...others]) : callback(null, first.address, first.family);
    });
  };
}
