import { describe, expect, test } from 'vitest';
import {
  problemOfServiceUrl,
  schemeOfServiceUrl,
  secretsOfServiceUrl,
} from '../../src/insight/notifications/service-url.rules.js';

test.each([
  'json://localhost',
  'JSONS://hooks.example.org:8443/a/b?+X-Key=1',
  'mailto://user:pa%20ss%40word@example.org?to=a@example.org,b@example.org',
  'mailtos://user:p@ss@example.org',
  'tgram://123456789:abcdefg_hij/12315544/',
  'slack://TokenA1234/TokenB1234/TokenC1234/#channel',
  'json://[::1]:8080/x',
])('accepts %s', (url) => expect(problemOfServiceUrl(url)).toBeNull());

test.each([
  ['localhost/path', /no scheme/],
  ['json:/host', /no scheme/],
  ['', /no scheme/],
  ['json://', /has nothing after/],
  ['json:///path', /has nothing after/],
  ['json://?a=b', /has nothing after/],
  ['json://https://host', /two schemes/],
  ['json://ho st', /spaces/],
  ['json://host/\u0000', /control/],
  ['json://host/\n', /spaces or control/],
  ['gotify://host/to#ken', /write it as %23/],
  ['ntfy://word#rest@host/topic', /write it as %23/],
  ['syslog://localhost', /not supported/],
  ['json://***', /masked service URL/],
  [`json://host/${'x'.repeat(10_000)}`, /10012 characters; at most 4096/],
])('rejects %s', (url, fault) => expect(problemOfServiceUrl(url)?.text).toMatch(fault));

test('converts the scheme to lower case', () => {
  expect(schemeOfServiceUrl('JsonS://x')).toBe('jsons');
  expect(schemeOfServiceUrl('//x')).toBeNull();
});

describe('the secrets of', () => {
  test.each([
    [
      'json://user:hunter2@host.example.org:8080/path',
      ['hunter2'],
      ['user', 'host.example.org', '8080', 'path'],
    ],
    ['json://user:p%40ss%25word@host/', ['p%40ss%25word', 'p@ss%word'], ['host']],
    ['mailto://me:p@ssw@rd@example.org', ['p@ssw@rd'], ['example.org']],
    ['json://host/notify?+X-Token=a1b2c3d4e5&method=put', ['a1b2c3d4e5'], ['notify', 'put', 'host']],
    ['tgram://123456789:AAbbCC_ddEE/4711', ['123456789:AAbbCC_ddEE/4711'], ['4711']],
    ['slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ', ['TIiajkdnlazkcOXrIdevi7FQ', 'T1JJ3T3L2'], []],
  ])('%s', (url, secret, open) => {
    const secrets = secretsOfServiceUrl(url);
    expect(secrets).toEqual(expect.arrayContaining([url, ...secret]));
    for (const text of open) expect(secrets).not.toContain(text);
  });
});
