import { describe, expect, it } from 'vitest';
import { readServiceUrl } from '../src/service-url.js';
import { bytes, cut, shown } from '../src/text.js';

describe('a service URL', () => {
  it('is taken apart and decoded', () => {
    const url = 'Chat://ada%40home:s%3Aec/r@host%3A80/a%20b//c?Verify=no&x=1+2%26';
    // The first slash ends the authority: a password has to be encoded.
    expect(readServiceUrl(url)).toMatchObject({ scheme: 'chat', user: '', host: 'ada%40home:s:ec' });
    expect(readServiceUrl('Chat://ada%40home:s%3Aec@host%3A80/a%20b//c?Verify=no&x=1+2%26')).toMatchObject({
      scheme: 'chat',
      user: 'ada@home',
      password: 's:ec',
      host: 'host:80',
      path: ['a b', 'c'],
      fragment: '',
      query: { verify: 'no', x: '1+2&' },
      verifyCertificate: false,
    });
  });

  it.each([
    'chat://a/b%0D%0AX: y',
    'chat://a%00@b',
    'chat://a?b=%1b',
    'chat://a?b=100%&c=%0a',
    'chat://a/\u0007',
  ])('rejects control characters: %s', (url) => {
    expect(() => readServiceUrl(url)).toThrow(/control character/);
  });

  it.each(['gotify://host/to#ken', 'ntfy://word#rest@host/topic', 'json://host/#x', 'json://host/a?b=c#d'])(
    'rejects %s, whose fragment would not be sent',
    (url) => {
      expect(() => readServiceUrl(url)).toThrow(/write it as %23/);
      expect(readServiceUrl(url.replace('#', '%23')).secrets).not.toEqual([]);
    },
  );

  it('names its secrets, as written, decoded and encoded', () => {
    const { secrets } = readServiceUrl('chat://ada:s%3Aec%21@host/topic-471%31?key=valu%65-1');
    for (const secret of ['s:ec!', 'topic-4711', 'topic-471%31', 'value-1', 'YWRhOnM6ZWMh']) {
      expect(secrets).toContain(secret);
    }
  });
});

describe('a text', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['😀😀😀', 4, '😀…'],
    ['', 3, ''],
  ])('%s is cut to %i', (text, limit, expected) => {
    expect(cut(text, limit)).toBe(expected);
    expect(cut(text, limit).length).toBeLessThanOrEqual(limit);
  });

  it('is cut by bytes', () => {
    expect(cut('ääää', 7, bytes)).toBe('ää…');
  });

  it('is shown on one line, without secrets', () => {
    expect(shown(' no\r\n\u001b[1m sesame ', ['sesame'])).toBe('no [1m ***');
    expect(shown('x'.repeat(290) + 'sesame'.repeat(9), ['sesame'.repeat(9)])).not.toContain('sesame');
  });
});
