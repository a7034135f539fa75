import { describe, expect, it } from 'vitest';
import { fakes } from '../../notify-transport/test/fakes.js';
import { commonCases, onService, transportOf } from '../../notify-transport/test/service.js';
import plugin from '../src/index.js';

const parts = { plugin, fake: fakes.pushover };
const { token } = fakes.pushover;
const user = 'uexampleofauserkey000000000000';
const fieldsOf = ({ body }: { body: string }) => Object.fromEntries(new URLSearchParams(body));

describe('Pushover', () => {
  commonCases(parts, {
    wrongToken: 'awrong4711token000000000000000',
    sentence: /^Pushover rejected the application token\. Copy the API token .* update the URL\.$/,
  });

  it('gets a form', () =>
    onService(parts, async ({ sent }) => {
      expect(fieldsOf(await sent())).toEqual({
        token,
        user,
        title: '❌ Backup failed',
        priority: '1',
        message: 'Repository: home\n\nError: the disk is full',
      });
    }));

  it('knows devices, a sound and a priority; an emergency says for how long', () =>
    onService(parts, async ({ sent }) => {
      const url = `pover://${user}@${token}/phone/tablet?sound=siren&priority=emergency`;
      expect(fieldsOf(await sent(url))).toMatchObject({
        device: 'phone,tablet',
        sound: 'siren',
        priority: '2',
        retry: '60',
        expire: '3600',
      });
      expect(fieldsOf(await sent(undefined, { type: 'warning' })).priority).toBe('0');
    }));

  it('suggests a fix for a wrong user', () =>
    onService(parts, async ({ refused }) => {
      const { message } = await refused(`pover://uwrong4711@${token}`);
      expect(message).toBe(
        'Pushover rejected the user key. Copy it from your page at pushover.net and update the URL.',
      );
    }));

  it.each([
    ['pover://user', /no user key or application token/],
    [`pover://${user}@${token}?priority=3`, /from -2 to 2, or one of lowest/],
  ])('refuses %s', async (url, reason) => {
    expect((await transportOf(plugin)).check?.(url)).toMatch(reason);
  });
});
