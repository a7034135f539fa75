import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { plainWords, type Translations, translate } from '../src/i18n/translate.js';
import german from '../src/messages/server.de.js';
import english from '../src/messages/server.en.js';

const page = readFileSync(new URL('../../docs/developers/messages.md', import.meta.url), 'utf8');
const api = new Map(
  [...page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, code = '', text = '']) => [code, text]),
);
const languages = [
  ['en', english.sentences],
  ['de', german.sentences],
] as const;

/** Sorted, without those of routes: users find what they need on the screen. */
const valuesIn = (text: string) =>
  [...new Set(text.replace(/[A-Z]+ \/api\/\S+/g, '').match(/\{\w+\}/g))].sort();

test('reads the page of messages', () => {
  expect(api.size).toBeGreaterThan(500);
  expect(api.get('overview_late')).toBe('Late: {count} of {total} repositories.');
});

test.each(languages)('translates only existing codes: %s', (_language, sentences) => {
  expect(Object.keys(sentences).filter((code) => !api.has(code))).toEqual([]);
});

test.each(languages)('keeps the values of the API in each sentence: %s', (_language, sentences) => {
  const wrong = Object.entries(sentences).filter(([code, sentence]) => {
    const values = valuesIn(sentence);
    // Their sentences are made elsewhere, and are `problem`.
    const free = /^(tool|host)_/.test(code) && values.join() === '{problem}';
    return !free && values.join() !== valuesIn(api.get(code) ?? '').join();
  });
  expect(wrong).toEqual([]);
});

/** Only programs and operators meet them. */
const unseen = [
  'api_token_summary_only',
  'console_missing',
  'download_unknown',
  'initial_admin_password_wrong',
  'metrics_token_missing',
  'public_url_missing',
];

test.each(languages)('shows no route, field or variable: %s', (_language, sentences) => {
  const name = /\/api\/|\b(?!sshd_config|authorized_keys)[a-z]+(?:_[a-z]+)+|\b[A-Z]+(?:_[A-Z]+)+/;
  const naming = [...api].filter(([code, text]) => {
    const shown = sentences[code] ?? plainWords({ text, params: {} });
    return name.test(shown.replace(/\{\w+\}/g, ''));
  });
  expect(naming.map(([code]) => code)).toEqual(unseen);
});

test('has a German word for each kind and state of a job', () => {
  const { schemas } = JSON.parse(
    readFileSync(new URL('../../api/openapi.json', import.meta.url), 'utf8'),
  ).components;
  const known = (name: string) => Object.keys(german.words[name] ?? {});
  expect(known('kind')).toEqual(
    expect.arrayContaining(schemas.JobKind.enum.map((each: string) => each.replaceAll('_', ' '))),
  );
  expect(known('status')).toEqual(expect.arrayContaining(schemas.JobStatus.enum));
  const params = { job: 5, kind: 'archive deletion', repository: 'photos' };
  const said = translate({ code: 'waiting_for_job', params, text: '' }, german);
  expect(said.map(({ text }) => text).join('')).toBe(
    'auf Auftrag 5 (Löschen eines Archivs) des Repositorys photos',
  );
});

const visible =
  /^(access_token|archives?|attention|audit|backup|check|connection|cron|destination|folder|health|hooks?|host|identity|incident|job|overview|own|password|path|place|private_key|protection|prune|public_key|repair|repository|restore|retention|runs?|schedules?|script|service_url|session|sheet|sources?|ssh|target|tool|usage|user|username|waiting_for)_/;

test('translates everything visible except tool output and programming errors', () => {
  const missing = [...api.keys()].filter((code) => visible.test(code) && !(code in german.sentences));
  expect(missing.join('\n')).toBe(
    [
      'access_token_missing',
      'archive_path_has_dots',
      'archive_path_has_double_slash',
      'archive_path_has_nul',
      'archive_path_is_slashes',
      'audit_entry_invalid',
      'host_failed',
      'own_event_streams_too_many',
      'repository_not_given',
      'repository_path_unknown',
      'restore_order_incomplete',
      'script_not_startable',
      'service_url_rejected',
      'session_header_missing',
      'source_problem',
      'tool_failed',
      'tool_usage',
      'tool_warning',
      'usage_read',
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

test('translates sentences without values when there are several', () => {
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

test('translates several sentences and a reason by their values', () => {
  const text = 'The pre hook "dump" failed with exit code 3.';
  const values = { type: 'pre', name: 'dump', exit_code: 3 };
  const given = { sentences: [text, text], codes: ['hook_exited', 'hook_exited'] };
  const json = JSON.stringify(values);
  const shown = (params: object, code: string, whole: string) =>
    translate({ code, params: params as never, text: whole }, german);
  const parts = shown({ ...given, values: [json, json] }, 'several_sentences', `${text} ${text}`);
  expect(parts.some(({ lang }) => lang)).toBe(false);
  const because = { reason: text, reason_code: 'hook_exited', reason_values: json };
  expect(
    shown(because, 'backup_refused_by_hook', `No backup was made. ${text}`).some(({ lang }) => lang),
  ).toBe(false);
});

test('translates why a host is unreachable', () => {
  const why = { host: 'nas', port: 22, why: 'the connection was refused' };
  const params = { problem: 'x', problem_code: 'host_not_reached', problem_values: JSON.stringify(why) };
  const parts = translate({ code: 'host_unreachable', params, text: 'x' }, german);
  expect(parts.some(({ lang }) => lang)).toBe(false);
  expect(parts.map(({ text }) => text).join('')).toBe(
    'Keine Verbindung zum Rechner: nas Port 22 ist nicht erreichbar: Er lehnt die Verbindung ab.',
  );
});

test.each([
  ['en', '/a does not exist: correct it, or mount it.'],
  ['de', '/a gibt es nicht: Berichtigen Sie den Pfad, oder hängen Sie ihn ein.'],
])('reports a problem of a field in the language of the page: %s', async (language, said) => {
  vi.stubGlobal('localStorage', { getItem: () => language });
  vi.resetModules();
  const { loadFirst } = await import('../src/i18n/messages.js');
  const { loadSentences } = await import('../src/i18n/sentences.js');
  const { HoldfastError } = await import('../src/api/client.js');
  const { errorAt } = await import('../src/ui/field-errors.js');
  await Promise.all([loadFirst(), loadSentences()]);
  const facts = { code: 'repository_folder_missing', params: { path: '/a' } };
  const detail = 'path: /a does not exist: correct it, or mount it.';
  expect(errorAt(new HoldfastError({ status: 400, detail, ...facts }), 'path')).toBe(said);
  const errors = ['path', 'name'].map((path) => ({ path, message: 'is required' }));
  const several = { status: 400, detail: 'path is required; name is required.', errors };
  expect(errorAt(new HoldfastError(several), 'name')).toBe('is required');
  const empty = 'Add at least one directory, or a source such as a database.';
  const both = ['source_directories', 'sources'].map((path) => ({ path, message: empty }));
  const refusal = new HoldfastError({ status: 400, code: 'source_set_empty', detail: empty, errors: both });
  for (const { path } of both) expect(errorAt(refusal, path)).toMatch(/^(Add|Fügen Sie) .*\.$/);
  vi.unstubAllGlobals();
  vi.resetModules();
});

test.each([
  ['There is no schedule 5: see GET /api/schedule/.', 'There is no schedule 5.'],
  [
    'Repository a has no source directories. Add at least one with PUT /api/repositories/1.',
    'Repository a has no source directories.',
  ],
  ['a free job slot (limit: 2)', 'a free job slot (limit: 2)'],
  ['custom_flags must be one line without NUL.', 'custom flags must be one line without NUL.'],
  ['my_file was left out.', 'my_file was left out.'],
  ['path: /a is not a directory: choose another.', '/a is not a directory: choose another.'],
  ['destination: the service cannot access /a.', 'The service cannot access /a.'],
  ['The passphrase is wrong: send the right one as `passphrase`.', 'The passphrase is wrong.'],
  ['It was encrypted with another SECRET_KEY.', 'It was encrypted with another secret key.'],
  ['Allow it in its sshd_config.', 'Allow it in its sshd_config.'],
])('hides API names from users: %s', (text, shown) => {
  expect(plainWords({ text, params: { file: 'my_file' } })).toBe(shown);
});
