import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

const text = readFileSync(new URL('../../api/openapi.json', import.meta.url), 'utf8');
const { schemas }: { schemas: Record<string, Schema> } = JSON.parse(text).components;

const forPeople =
  /(^|_)(broken|consequence|degraded|detail|error|help|hint|message|note|notice|obstacle|problem|reason|remark|sentence|text|waiting_for|warning)s?$/;

/** Fields whose sentence has no code, with the reason. `Type.field`, or the field of any type. */
const without: Record<string, string> = {
  'AuditEntryView.note': 'an entry of the audit trail, as it was written',
  'BorgmaticImport.text': 'given by the client',
  'CacheStats.problem': 'words of a plugin',
  'ErrorBody.message': 'part of the sentence `detail`, which has a code',
  'NotificationServiceView.help': 'words of a plugin',
  'PluginView.problem': 'words of a plugin',
  'PinInput.reason': 'typed by a user',
  'Pinned.reason': 'typed by a user',
  'PruneAnswer.message': 'sums up `status`, `error_message` and the pause',
  'RepositoryTested.message': 'says the same as `opens`; `reason` says why',
  'RestorePlanView.reason': 'one of a few fixed phrases, which the console translates',
  'SourcesCheckAnswer.text': 'words of a plugin',
  'SourcesFindAnswer.detail': 'words of a plugin',
  'SourcesKindsAnswer.help': 'words of a plugin',
  'SystemHealthAnswer.notices': 'words of a plugin',
  'StatusSummary.problem': 'shortened; the overview has it with its code',
  'StatusSummary.text': 'says the same as the counts',
  'SelfBackupView.warnings': 'says the same as `same_disk`',
  'Snooze.reason': 'typed by a user',
  progress_message: 'a step of the tool in a running job',
  snooze_reason: 'typed by a user',
  warnings: 'names fields of the body that were ignored',
};

const isText = ({ type, enum: words, items, anyOf = [] }: Schema): boolean =>
  !words && ([type].flat().includes('string') || [items ?? [], anyOf].flat().some(isText));

/** Each object in the schema, as its properties. */
const objectsIn = ({
  properties,
  items,
  anyOf = [],
  oneOf = [],
  allOf = [],
}: Schema): Record<string, Schema>[] => [
  ...(properties ? [properties] : []),
  ...[Object.values(properties ?? {}), items ?? [], anyOf, oneOf, allOf].flat().flatMap(objectsIn),
];

function codeNames(name: string): string[] {
  const stem = name.replace(/s$/, '');
  const own = [`${name}_code`, `${name.replace(/_message$/, '')}_code`, `${stem}_codes`];
  if (name === 'error') return [...own, 'message_code'];
  return /^(detail|text)$/.test(name) ? [...own, 'code'] : own;
}

/** Of one sentence, there are its values too. */
const isWhole = (code: string, properties: object) =>
  code in properties && (code.endsWith('codes') || code.replace(/code$/, 'params') in properties);

/** Where `success` is always true, `message` confirms what was done: the console has words of its own. */
const confirms = (name: string, { success }: Record<string, Schema>) =>
  name === 'message' && success?.enum?.join() === 'true';

const found = Object.entries(schemas).flatMap(([type, schema]) =>
  objectsIn(schema).flatMap((properties) =>
    Object.entries(properties)
      .filter(([name, field]) => forPeople.test(name) && isText(field) && !confirms(name, properties))
      .map(([name]) => ({ type, name, has: codeNames(name).some((code) => isWhole(code, properties)) })),
  ),
);

it('gives each readable sentence a code', () => {
  const missing = found.filter(
    ({ type, name, has }) => !has && !without[`${type}.${name}`] && !without[name],
  );
  expect([...new Set(missing.map(({ type, name }) => `${type}.${name}`))]).toEqual([]);
});

it('keeps no exception that nothing needs', () => {
  const needed = new Set(found.flatMap(({ type, name, has }) => (has ? [] : [`${type}.${name}`, name])));
  expect(Object.keys(without).filter((name) => !needed.has(name))).toEqual([]);
  expect(found.filter(({ has }) => has).length).toBeGreaterThan(50);
});
