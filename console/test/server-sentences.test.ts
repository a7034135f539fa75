import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Translations, translate } from '../src/i18n/translate.js';
import german from '../src/messages/server.de.js';

const page = readFileSync(new URL('../../docs/messages.md', import.meta.url), 'utf8');
const english = new Map(
  [...page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, code = '', text = '']) => [code, text]),
);
const codes = Object.keys(german.sentences);

/** Sorted. Addresses of the API are for programs: people find what they need on the screen. */
const valuesIn = (text: string) =>
  [...new Set(text.replace(/[A-Z]+ \/api\/\S+/g, '').match(/\{\w+\}/g))].sort();

test('the page of messages is read', () => {
  expect(english.size).toBeGreaterThan(500);
  expect(english.get('overview_late')).toBe('Late: {count} of {total} repositories.');
});

test('each translated code exists', () => {
  expect(codes.filter((code) => !english.has(code))).toEqual([]);
});

test('each translation has the values of the English sentence', () => {
  const wrong = codes.filter((code) => {
    const values = valuesIn(german.sentences[code] ?? '');
    // Their sentences are made elsewhere, and are `problem`.
    const free = /^(tool|host)_/.test(code) && values.join() === '{problem}';
    return !free && values.join() !== valuesIn(english.get(code) ?? '').join();
  });
  expect(wrong).toEqual([]);
});

const visible =
  /^(access_token|archives?|attention|backup|check|connection|cron|destination|folder|hooks?|host|identity|incident|job|overview|own|password|path|place|private_key|protection|prune|public_key|repair|repository|restore|retention|runs?|schedules?|script|service_url|session|sheet|sources?|ssh|target|tool|user|username|waiting_for)_/;

test('what people see is translated, but for the words of tools and what only programs get wrong', () => {
  const missing = [...english.keys()].filter((code) => visible.test(code) && !(code in german.sentences));
  expect(missing.join('\n')).toBe(
    [
      'access_token_missing',
      'archive_path_has_dots',
      'archive_path_has_double_slash',
      'archive_path_has_nul',
      'archive_path_is_slashes',
      'host_failed',
      'own_event_streams_too_many',
      'repository_not_given',
      'repository_path_unknown',
      'restore_order_incomplete',
      'script_not_startable',
      'service_url_rejected',
      'session_header_missing',
      'tool_failed',
      'tool_usage',
      'tool_warning',
      'waiting_for_reader',
    ].join('\n'),
  );
});

const some: Translations = {
  sentences: {
    waits: 'wartet auf {kind} {id}',
    failed: '{name} ist gescheitert: {reason}',
    full: 'Voll.',
    needs: 'Braucht {tools}',
  },
  words: { kind: { backup: 'Sicherung' }, tools: { one: 'eins' } },
};
const said = (
  code: string | null,
  params: Record<string, string | number | string[]>,
  text = 'In English.',
) =>
  translate({ code, params, text }, some).map((part) =>
    part.lang ? `<${part.lang}>${part.text}</>` : part.text,
  );

test.each([
  ['values and words', 'waits', { kind: 'backup', id: 7 }, 'wartet auf Sicherung 7'],
  ['a word that is not known', 'waits', { kind: 'other', id: 7 }, 'wartet auf other 7'],
  ['a list', 'needs', { tools: ['one', 'tar'] }, 'Braucht eins, tar'],
  ['a value with braces', 'waits', { kind: '{id}', id: 7 }, 'wartet auf {id} 7'],
  [
    'a reason by its code',
    'failed',
    { name: 'a', reason: 'It is full.', reason_code: 'full' },
    'a ist gescheitert: Voll.',
  ],
  [
    'a reason that needs values',
    'failed',
    { name: 'a', reason: 'It waits.', reason_code: 'waits' },
    'a ist gescheitert: <en>It waits.</>',
  ],
  ['an unknown code', 'unknown', {}, '<en>In English.</>'],
  ['no code', null, {}, '<en>In English.</>'],
  ['a value that is missing', 'waits', { kind: 'backup' }, '<en>In English.</>'],
])('%s', (_what, code, params, text) => {
  expect(said(code, params).join('')).toBe(text);
});

test('of several sentences, those without values are translated', () => {
  const params = { sentences: ['It is full.', 'It waits.'], codes: ['full', 'waits'] };
  expect(said('several_sentences', params, 'It is full. It waits.')).toEqual([
    'Voll.',
    ' ',
    '<en>It waits.</>',
  ]);
  expect(said('several_sentences', params, 'It is full. It waits. And more.')).toEqual([
    '<en>It is full. It waits. And more.</>',
  ]);
});
