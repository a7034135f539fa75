import { describe, expect, it } from 'vitest';
import { readServiceUrl } from '../src/service-url.js';

const read = (url: string) => {
  const { target, ...others } = readServiceUrl(url);
  return { target: target.href, ...others };
};

describe('a service URL', () => {
  it.each([
    ['json://host', 'http://host/'],
    ['jsons://host', 'https://host/'],
    ['JSONS://Host:8443/Path', 'https://host:8443/Path'],
    ['json://host:80/a/b/', 'http://host/a/b/'],
    ['json://127.0.0.1:9/a%20b/c%2Fd', 'http://127.0.0.1:9/a%20b/c%2Fd'],
    ['json://[::1]:8080/a', 'http://[::1]:8080/a'],
    ['json://user:password@host/a', 'http://host/a'],
    ['json://host?-a=b&-c=d%26e', 'http://host/?a=b&c=d%26e'],
    ['json://host/a?unknown=1&format=text', 'http://host/a'],
    ['json://bücher.test/a', 'http://xn--bcher-kva.test/a'],
  ])('%s leads to %s', (url, target) => {
    expect(read(url).target).toBe(target);
  });

  it.each([
    ['json://ada:secret@host', 'ada', 'secret'],
    ['json://ada@host', 'ada', ''],
    ['json://:secret@host', '', 'secret'],
    ['json://ada:se%40cr%3Aet%25@host', 'ada', 'se@cr:et%'],
    ['json://ada:se@cr@et@host', 'ada', 'se@cr@et'],
    ['json://ada:se:cr:et@host', 'ada', 'se:cr:et'],
    ['json://ada:100%@host', 'ada', '100%'],
    ['json://ada%40home.test:p%C3%A4ss@host', 'ada@home.test', 'päss'],
    ['json://host/path@with:signs', '', ''],
  ])('%s is used as %s with the password %s', (url, user, password) => {
    expect(read(url)).toMatchObject({ user, password });
  });

  it('has separate headers, fields and a method', () => {
    const url =
      'json://host/?+X-Token=a+b%3D%26c&%2BX-Other= x &:field=value&:title=subject&:data=&method=put';
    expect(read(url)).toMatchObject({
      target: 'http://host/',
      headers: { 'X-Token': 'a+b=&c', 'X-Other': 'x' },
      fields: { field: 'value', title: 'subject', data: '' },
      method: 'PUT',
    });
  });

  it('posts, checks certificates and follows redirects by default', () => {
    expect(read('jsons://host')).toMatchObject({
      method: 'POST',
      verifyCertificate: true,
      followRedirects: true,
      connectTimeout: 10_000,
      answerTimeout: 20_000,
    });
    expect(read('jsons://host?verify=no&redirect=False&cto=1.5&rto=3')).toMatchObject({
      verifyCertificate: false,
      followRedirects: false,
      connectTimeout: 1_500,
      answerTimeout: 3_000,
    });
  });

  it.each([
    ['json://host?cto=never&rto=-3', 10_000, 20_000],
    ['json://host?cto=0&rto=', 10_000, 20_000],
    ['json://host?cto=0.001&rto=99999999', 100, 60_000],
  ])('%s has time-outs that make sense', (url, connectTimeout, answerTimeout) => {
    expect(read(url)).toMatchObject({ connectTimeout, answerTimeout });
  });

  it.each([
    ['', /does not begin/],
    ['host/path', /does not begin/],
    ['http://host/', /does not begin/],
    ['json:host', /does not begin/],
    ['json://', /no host/],
    ['json:///path', /no host/],
    ['json://user:secret-4711@/path', /no host/],
    ['json://https://host/secret-4711', /colon but no port after its host/],
    ['json://host:99999/secret-4711', /invalid host or port/],
    ['json://host:0/secret-4711', /invalid host or port/],
    ['json://host:port/secret-4711', /invalid host or port/],
    ['json://ho st/secret-4711', /invalid host or port/],
    ['json://%/secret-4711', /invalid host or port/],
    ['json://[::1/secret-4711', /invalid host or port/],
    ['json://host?method=secret-4711', /must be one of POST, GET/],
    ['json://host?+Bad%20Name=secret-4711', /HTTP does not allow/],
    ['json://host?+X-A=secret-4711%0D%0AX-B%3A%20c', /HTTP does not allow/],
    ['json://host?+Content-Length=4711', /reserved for the connection/],
    ['json://host?+transfer-encoding=chunked', /reserved for the connection/],
  ])('%s is refused in words without its secrets', (url, reason) => {
    expect(() => readServiceUrl(url)).toThrow(reason);
    expect(() => readServiceUrl(url)).not.toThrow(/4711/);
  });

  it('may be very long', () => {
    const path = 'x'.repeat(10_000);
    expect(read(`json://host/${path}`).target).toBe(`http://host/${path}`);
  });
});
