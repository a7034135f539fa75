import type { NotificationTransport } from '@holdfast/plugin-api';
import { expect, test } from 'vitest';
import { makeNotifierRegistry } from '../../src/notifications/notifier-registry.js';

const transport = (...schemes: string[]): NotificationTransport => ({ schemes, send: async () => undefined });

test('a named scheme beats the one that takes the rest, in whatever order they were loaded', () => {
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

test('without one that takes the rest, what is not named has no transport', () => {
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
