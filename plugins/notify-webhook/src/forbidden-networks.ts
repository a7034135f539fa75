import { BlockList, isIP } from 'node:net';

/** Where machines tell their secrets to whoever asks from within: no place for a message. */
const forbidden = [
  '169.254.0.0/16',
  'fe80::/10',
  // Metadata services outside of the link-local networks.
  ...['100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
  // The first of them again, as two gateways between the versions of IP write it.
  ...['64:ff9b::a9fe:0/112', '2002:a9fe::/32'],
];

/** Tells addresses to which nothing is sent. `allowed` lists networks (`10.0.0.0/8`) that are excepted. */
export function forbiddenNetworks(allowed: readonly string[]): (address: string) => boolean {
  const no = listOf(forbidden);
  const yes = listOf(allowed);
  return (address) => isIn(no, address) && !isIn(yes, address);
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    list.addSubnet(address, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family);
  }
  return list;
}

/** Knows an IPv4 address also where it is written as one of IPv6. */
const isIn = (list: BlockList, address: string) => list.check(address, familyOf(address));

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');
