import type { NotificationTransport } from '@holdfast/plugin-api';
import { describe, expect, test } from 'vitest';
import { makeNotifierRegistry } from '../../src/insight/notifications/notifier-registry.js';

const transport = (...schemes: string[]): NotificationTransport => ({ schemes, send: async () => undefined });

test('prefers a named scheme to the fallback transport in any load order', () => {
  const [rest, json, ntfy] = [transport('*'), transport('json', 'jsons'), transport('ntfy')];
  for (const loaded of [
    [rest, json, ntfy],
    [ntfy, json, rest],
  ]) {
    const { transportFor, schemes } = makeNotifierRegistry(loaded);
    expect(schemes).toEqual(['*', 'json', 'jsons', 'ntfy']);
    expect(transportFor('json://host')).toBe(json);
    expect(transportFor('JSONS://host/path')).toBe(json);
    expect(transportFor('ntfy://topic')).toBe(ntfy);
    expect(transportFor('tgram://123:abc/chat')).toBe(rest);
  }
});

test('has no transport for unnamed schemes without a fallback', () => {
  const { transportFor } = makeNotifierRegistry([transport('json')]);
  for (const url of [
    'mailto://host',
    'jsonx://host',
    'json:host',
    'host',
    '',
    '*://host',
    '://',
    'constructor://a',
  ]) {
    expect(transportFor(url)).toBeNull();
  }
  expect(makeNotifierRegistry([]).transportFor('json://host')).toBeNull();
});

describe('a transport that defers to the fallback transport', () => {
  const rest = transport('*');
  const chat = {
    ...transport('chat'),
    yields: true,
    check: (url: string) => (url.includes('odd') ? 'That is odd.' : null),
  };
  const { transportFor } = makeNotifierRegistry([rest, chat]);

  test('takes the URLs that it understands', () => {
    expect(transportFor('chat://room')).toBe(chat);
    expect(transportFor('chat://room?via=apprises')).toBe(chat);
  });

  test.each(['chat://odd', 'chat://room?via=apprise', 'chat://room?a=b&VIA=Apprise#c'])(
    'leaves %s to the fallback',
    (url) => {
      expect(transportFor(url)).toBe(rest);
      expect(makeNotifierRegistry([chat]).transportFor(url)).toBe(chat);
    },
  );

  test('keeps existing settings on the fallback transport', () => {
    expect(transportFor('chat://room', { appriseFirst: true })).toBe(rest);
    const strict = { ...chat, yields: false };
    const others = makeNotifierRegistry([rest, strict]);
    expect(others.transportFor('chat://odd?via=apprise', { appriseFirst: true })).toBe(strict);
  });
});

test('lists services by name with the schemes of their transports', () => {
  const service = { id: 'b', name: 'Beta', fields: [], template: '{scheme}://' };
  const alpha = { ...service, id: 'a', name: 'Alpha' };
  const { services } = makeNotifierRegistry([
    { ...transport('b', 'bs'), service },
    transport('json'),
    { ...transport('a'), service: alpha },
  ]);
  expect(services).toEqual([
    { ...alpha, schemes: ['a'] },
    { ...service, schemes: ['b', 'bs'] },
  ]);
});
