import { describe, expect, it } from 'vitest';
import { forbiddenNetworks } from '../src/forbidden-networks.js';

describe('by default', () => {
  const isForbidden = forbiddenNetworks([]);

  it.each([
    '169.254.0.1',
    '169.254.169.254',
    '169.254.255.255',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    'fe80::1',
    'febf::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
  ])('forbids %s', (address) => {
    expect(isForbidden(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.253.255.255',
    '169.255.0.0',
    'fd00::1',
    'fec0::1',
    '203.0.113.9',
    '2001:db8::1',
  ])('messages go to %s', (address) => {
    expect(isForbidden(address)).toBe(false);
  });
});

it('named networks are excepted, and no others', () => {
  const isForbidden = forbiddenNetworks(['169.254.7.0/24', 'fe80::1', '100.100.100.200']);
  const allowed = ['169.254.7.9', '::ffff:169.254.7.9', 'fe80::1', '100.100.100.200'];
  expect(allowed.filter(isForbidden)).toEqual([]);
  const others = ['169.254.8.1', '169.254.169.254', 'fe80::2', 'fd00:ec2::254'];
  expect(others.filter(isForbidden)).toEqual(others);
});
