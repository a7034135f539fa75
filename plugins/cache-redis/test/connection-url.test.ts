import { describe, expect, test } from 'vitest';
import { describeAddress, parseRedisUrl } from '../src/connection-url.js';

describe('the forms of the URL', () => {
  test.each([
    ['redis://cache', { place: { host: 'cache', port: 6379 }, database: 0, tls: false }],
    ['redis://cache/20', { place: { host: 'cache', port: 6379 }, database: 20 }],
    ['redis://cache:6380/15', { place: { host: 'cache', port: 6380 }, database: 15 }],
    ['redis://:p%40ss%2Fw@cache/2', { password: 'p@ss/w', username: undefined, database: 2 }],
    ['redis://user:secret@[::1]:7/0', { place: { host: '::1', port: 7 }, username: 'user' }],
    ['redis://cache?db=3', { database: 3 }],
    ['rediss://cache:6379/1', { tls: true, verify: true }],
    ['rediss://cache?ssl_cert_reqs=none&ssl_ca_certs=/a.pem', { verify: false, authority: '/a.pem' }],
    ['unix:///run/my%20redis.sock?db=4', { place: { path: '/run/my redis.sock' }, database: 4 }],
    ['redis+socket:///run/redis.sock', { place: { path: '/run/redis.sock' }, database: 0 }],
  ])('%s', (url, expected) => {
    expect(parseRedisUrl(url)).toMatchObject(expected);
  });
});

test.each([
  ['', 'is not valid'],
  ['cache:6379', 'cache:'],
  ['http://cache', 'http:'],
  ['redis://', 'names no host'],
  ['redis://cache/10000', '0 to 9999'],
  ['redis://cache/-1', '0 to 9999'],
  ['redis://cache/abc', '0 to 9999'],
  ['redis://cache?db=1&timeout=3', 'timeout'],
  ['unix://', 'names no socket'],
  ['unix://:secret@/run/redis.sock', 'is not valid'],
  ['unix://host/run/redis.sock', 'names no socket'],
  ['rediss://cache?ssl_cert_reqs=maybe', 'ssl_cert_reqs'],
  ['redis://:s%zzcret@cache', 'percent-encoded'],
])('refuses %s', (url, word) => {
  expect(() => parseRedisUrl(url)).toThrow(word);
  expect(() => parseRedisUrl(url)).not.toThrow(/s%zzcret/);
});

test('describes an address without secrets', () => {
  expect(describeAddress(parseRedisUrl('rediss://user:secret@cache:1/2'))).toBe('rediss://cache:1/2');
  expect(describeAddress(parseRedisUrl('unix:///run/redis.sock?db=2'))).toBe('unix:///run/redis.sock?db=2');
  expect(describeAddress(parseRedisUrl('redis://[::1]'))).toBe('redis://[::1]:6379/0');
});
