import { isIPv6 } from 'node:net';

/**
 * The rate limit key of a client: its IPv4 address, or its /64 network for IPv6, because one client owns all
 * of it.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] as string).split('::');
  const groups = head === '' ? [] : head.split(':');
  const known = tail ? tail.split(':').length : 0;
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - known)).fill('0');
  const all = [...groups, ...zeros, ...(tail ? tail.split(':') : [])];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
