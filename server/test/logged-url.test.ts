import { describe, expect, it } from 'vitest';
import { loggedUrl } from '../src/http/middleware/logged-url.js';

const token = `hf_${'aB3_-'.repeat(8)}xyz`;
const encoded = (text: string) => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
const readable = (url: string) => (url.includes('%E0%A4') ? url : decodeURIComponent(url));

describe('the URL in the log', () => {
  it.each([
    ['/api/archives/list', '/api/archives/list'],
    ['/a?x=1&b=2', '/a?x=1&b=2'],
    ['/a?token=hf_secret&x=1', '/a?token=***&x=1'],
    ['/a?x=1&%74oken=hf%5Fsecret', '/a?x=1&token=***'],
    ['/a?token=one&token=two', '/a?token=***&token=***'],
    ['/a?access_token=one?two', '/a?access_token=***'],
    ['/a?ticket=hft_secret&x=1', '/a?ticket=***&x=1'],
    ['/a?PassPhrase=x&api_key=y&x=1', '/a?PassPhrase=***&api_key=***&x=1'],
    [`/a?next=b%3Ftoken%3D${token}`, '/a?next=b?token=***'],
    [`/a?${token}`, '/a?***='],
    [`/a/${token}/b`, '/a/***/b'],
    [`/a/${encoded(token)}/b`, '/a/***/b'],
    ['/a/%E0%A4?x=1', '/a/%E0%A4?x=1'],
  ])('%s is written as %s', (originalUrl, expected) => {
    expect(readable(loggedUrl({ originalUrl }))).toBe(expected);
  });
});
