import { describe, expect, it } from 'vitest';
import { loggedUrl } from '../src/http/logged-url.js';

describe('the URL in the log', () => {
  it.each([
    ['/api/archives/list', '/api/archives/list'],
    ['/a?x=1&b=2', '/a?x=1&b=2'],
    ['/a?token=hf_secret&x=1', '/a?token=***&x=1'],
    ['/a?x=1&%74oken=hf%5Fsecret', '/a?x=1&token=***'],
    ['/a?token=one&token=two', '/a?token=***'],
    ['/a?access_token=one?two', '/a?access_token=***'],
  ])('%s is written as %s', (originalUrl, expected) => {
    expect(decodeURIComponent(loggedUrl({ originalUrl }))).toBe(expected);
  });
});
