import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

/** Whether messages must not go to an address. */
export type Forbidding = (address: string) => boolean;

/** The forbidden literal address in a host, or null. Literal addresses are not looked up. */
export function forbiddenLiteral(hostname: string, isForbidden: Forbidding): string | null {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) !== 0 && isForbidden(literal) ? literal : null;
}

/**
 * Finds only addresses that are not forbidden. It checks the very addresses that are connected to: a host name may
 * resolve to another one a moment later.
 */
export function guardedLookup(isForbidden: Forbidding): LookupFunction {
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
