import { BlockList, isIP } from 'node:net';

/** Link-local and metadata services hand out secrets to any caller on the machine: messages must not go there. */
const forbidden = [
  '169.254.0.0/16',
  'fe80::/10',
  // Metadata services outside the link-local networks.
  ...['100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
  // 169.254.0.0/16 again, as two kinds of gateways between IPv4 and IPv6 write it.
  ...['64:ff9b::a9fe:0/112', '2002:a9fe::/32'],
];

/** Returns a check for addresses that get no messages. `allowed` lists exempt networks (`10.0.0.0/8`). */
export function forbiddenNetworks(allowed: readonly string[]): (address: string) => boolean {
  const blocked = listOf(forbidden);
  const exempt = listOf(allowed);
  return (address) => isIn(blocked, address) && !isIn(exempt, address);
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

/** Also recognises an IPv4 address written as IPv6. */
const isIn = (list: BlockList, address: string) => list.check(address, familyOf(address));

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');
