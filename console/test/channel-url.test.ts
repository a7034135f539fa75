import { describe, expect, it } from 'vitest';
import {
  buildUrl,
  fromWebAddress,
  readUrl,
  splitFields,
  webAddressOf,
} from '../src/screens/settings/notifications/channel-url.js';

const ntfy = { schemes: ['ntfys', 'ntfy'], template: '{scheme}://{+host}/{topic}{?token,priority,verify}' };
const mail = {
  schemes: ['mailtos', 'smtps'],
  template: '{scheme}://{user}:{password}@{+host}{?from,to,mode,verify}',
};
const webhook = {
  schemes: ['json', 'jsons'],
  template: '{scheme}://{user}:{password}@{+host}/{+path}{?verify}',
};

describe('the service URL of a form', () => {
  it('encodes values, keeps host syntax and omits empty values', () => {
    expect(buildUrl(ntfy, { host: 'ntfy.example.org:8443', topic: 'a b/c', priority: ' 5 ' })).toBe(
      'ntfys://ntfy.example.org:8443/a%20b%2Fc?priority=5',
    );
    expect(
      buildUrl(mail, { scheme: 'smtps', user: 'ann@x.org', password: 'p:@/', host: '[::1]', to: 'a@x,b@y' }),
    ).toBe('smtps://ann%40x.org:p%3A%40%2F@[::1]?to=a%40x%2Cb%40y');
  });

  it.each([
    [ntfy, { scheme: 'ntfys', host: 'ntfy.sh', topic: "it's", token: 'tk_ä', verify: 'no' }],
    [
      mail,
      {
        scheme: 'mailtos',
        user: 'ann@x.org',
        password: 'p:@/',
        host: 'smtp.x.org:25',
        from: 'a@x.org',
        to: 'b@y',
      },
    ],
    [webhook, { scheme: 'jsons', user: '', password: '', host: 'hooks.example.org', path: 'a/b' }],
  ])('can be read back into the fields of %j', (form, values) => {
    expect(readUrl(form, buildUrl(form, values))).toEqual(values);
  });

  it('has no login without a user', () => {
    const url = buildUrl(webhook, { host: 'hooks.x.org:9000', path: 'a' });
    expect(url).toBe('json://hooks.x.org:9000/a');
    expect(readUrl(webhook, url)).toMatchObject({ host: 'hooks.x.org:9000', path: 'a', user: '' });
  });

  it('can be read although characters are not encoded that need not be', () => {
    expect(readUrl(mail, 'mailtos://a:b@smtp.x.org?from=ann@x.org')).toMatchObject({ from: 'ann@x.org' });
  });

  it.each([
    ['https://hooks.x.org:9000/a/b?c=d', 'jsons://hooks.x.org:9000/a/b?c=d'],
    ['http://10.0.0.1//a', 'json://10.0.0.1/a'],
    ['hooks.x.org', 'jsons://hooks.x.org/'],
    ['json://nas:8080/a', 'json://nas:8080/a'],
  ])('is made of the address of a web page: %s', (web, url) => {
    expect(buildUrl(webhook, fromWebAddress(webhook, web))).toBe(url);
  });

  it('shows a saved webhook as the address of a web page', () => {
    expect(webAddressOf(webhook, readUrl(webhook, 'jsons://hooks.x.org/a') ?? {})).toBe(
      'https://hooks.x.org/a',
    );
  });

  it.each([
    ['ntfy://topic'],
    ['ntfys://ntfy.sh/topic?tags=warning'],
    ['gotify://ntfy.sh/topic'],
    ['ntfys://ntfy.sh/topic?token=a=b'],
    ['https://ntfy.sh/topic'],
  ])('is left as text if the form would not build the same: %s', (url) => {
    expect(readUrl(ntfy, url)).toBeNull();
  });
});

it('shows the fields up to the last that is needed first', () => {
  const field = (name: string, required: boolean) => ({ name, required }) as never;
  const { first, more } = splitFields({
    fields: [field('user', false), field('to', true), field('mode', false)],
  });
  expect([first, more].map((fields) => fields.map(({ name }) => name))).toEqual([['user', 'to'], ['mode']]);
});
