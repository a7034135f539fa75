import { describe, expect, it } from 'vitest';
import { fakes } from '../../notify-transport/test/fakes.js';
import { commonCases, onService, transportOf } from '../../notify-transport/test/service.js';
import plugin from '../src/index.js';

const parts = { plugin, fake: fakes.ntfy };
const { token } = fakes.ntfy;

describe('ntfy', () => {
  commonCases(parts, {
    wrongToken: 'tk_wrong4711token',
    sentence: /^ntfy rejected the access token or the password\. Create a new token .* update the URL\.$/,
  });

  it('gets JSON with a priority', () =>
    onService(parts, async ({ sent }) => {
      const { headers, body } = await sent();
      expect(headers.authorization).toBe(`Bearer ${token}`);
      expect(JSON.parse(body)).toEqual({
        topic: 'backups-4712',
        title: '❌ Backup failed',
        priority: 4,
        message: 'Repository: home\n\nError: the disk is full',
      });
    }));

  it('cuts a message by bytes, between characters', () =>
    onService(parts, async ({ sent }) => {
      const { message } = JSON.parse((await sent(undefined, { body: '漢😀'.repeat(2_000) })).body);
      expect(Buffer.byteLength(message)).toBeGreaterThan(4_085);
      expect(message).toMatch(/^(漢😀)+漢?…$/u);
    }));

  it.each([
    [`?token=${token}`, `Bearer ${token}`],
    ['', 'Basic YWRhOnNlc2FtZS00NzEx'],
  ])('logs in with the password or a token (%s)', (query, authorization) =>
    onService(parts, async ({ sink, sent }) => {
      const { headers } = await sent(`ntfy://ada:sesame-4711@${sink.host}/backups${query}`);
      expect(headers.authorization).toBe(authorization);
    }),
  );

  it('suggests a fix for a protected topic', () =>
    onService(parts, async ({ sink, refused }) => {
      expect((await refused(`ntfy://${sink.host}/backups?priority=max`)).message).toMatch(
        /^ntfy does not let this URL write to its topic\. Put an access token with write access into the URL/,
      );
    }));

  it.each(['ntfy://backups', 'ntfys://ntfy.sh/backups'])('%s leads to the public server', (url) =>
    onService(
      { plugin, fake: { ...fakes.ntfy, configuration: (host) => ({ apiUrl: `http://${host}/` }) } },
      async (scene) => {
        const { body } = await scene.sent(`${url}?token=${token}&priority=low`);
        expect(JSON.parse(body)).toMatchObject({ topic: 'backups', priority: 2 });
      },
    ),
  );

  it.each([
    ['ntfy://host/one/two', /several topics: create one channel for each/],
    ['ntfy://host/a%20b', /topic in the URL must have/],
    ['ntfys://ntfy.example.org', /topic in the URL must have/],
    ['ntfys://169.254.169.254/backups', /metadata address/],
    ['ntfys://host/backups?priority=huge', /from 1 to 5, or one of min, low/],
  ])('refuses %s', async (url, reason) => {
    expect((await transportOf(plugin)).check?.(url)).toMatch(reason);
  });
});
