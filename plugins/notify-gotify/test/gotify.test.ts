import { describe, expect, it } from 'vitest';
import { fakes } from '../../notify-transport/test/fakes.js';
import { commonCases, onService, transportOf } from '../../notify-transport/test/service.js';
import plugin from '../src/index.js';

const parts = { plugin, fake: fakes.gotify };
const { token } = fakes.gotify;

describe('Gotify', () => {
  commonCases(parts, {
    wrongToken: 'Awrong.4711-tok',
    sentence:
      /^Gotify rejected the token\. Copy the token of an application, not of a client, .* update the URL\.$/,
  });

  it('gets the token in a header, and the whole text', () =>
    onService(parts, async ({ sent }) => {
      const body = 'line\n'.repeat(20_000);
      const { path, headers, body: json } = await sent(undefined, { body });
      expect([path, headers['x-gotify-key']]).toEqual(['/message', token]);
      expect(JSON.parse(json)).toEqual({ title: '❌ Backup failed', message: body, priority: 8 });
    }));

  it.each([
    ['info', '', 4],
    ['success', '', 4],
    ['warning', '', 6],
    ['failure', '?priority=2', 2],
  ] as const)('%s with "%s" has the priority %i', (type, query, priority) =>
    onService(parts, async ({ sink, sent }) => {
      const { body } = await sent(`gotify://${sink.host}/${token}${query}`, { type });
      expect(JSON.parse(body).priority).toBe(priority);
    }),
  );

  it('waits for a server that a proxy does not find, below a path too', () =>
    onService(parts, async ({ sink, refused }) => {
      sink.answer = (response) => void response.writeHead(404).end('page not found');
      expect(await refused(`gotify://${sink.host}/below/here/${token}`)).toMatchObject({
        retryable: true,
        message: 'Gotify answered 404: page not found',
      });
      expect(sink.requests[0]?.path).toBe('/below/here/message');
    }));

  it.each([
    ['gotify://host', /has no application token/],
    ['gotify://host:0/token', /invalid host or port/],
    ['gotify://169.254.169.254/token', /metadata address/],
    ['gotify://host/token?priority=11', /whole number from 0 to 10\.$/],
  ])('refuses %s', async (url, reason) => {
    expect((await transportOf(plugin)).check?.(url)).toMatch(reason);
  });
});
