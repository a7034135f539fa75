import { expect, test } from 'vitest';
import { z } from 'zod';
import * as z4 from 'zod/v4';
import { makeRedactor } from '../src/adapters/redactor.js';
import { PluginConfiguration, variableOf, variablePrefix } from '../src/composition/plugin-configuration.js';

const plugin = { kind: 'storage', id: 'maria-db' } as const;
const prefix = 'PLUGIN_STORAGE_MARIA_DB_';

function read(
  schema: unknown,
  given: Record<string, string>,
  others: { kind: 'storage'; id: string }[] = [],
) {
  const redactor = makeRedactor();
  const variables = Object.fromEntries(Object.entries(given).map(([name, text]) => [prefix + name, text]));
  const configuration = new PluginConfiguration(variables, [plugin, ...others], redactor);
  const warned: unknown[] = [];
  const raw = configuration.read(plugin, schema as z.ZodTypeAny);
  configuration.warnOfRest({ warn: (_text: string, fields: object) => warned.push(fields) } as never);
  return { raw, warned, redact: (text: string) => redactor.redact(text) };
}

test('names', () => {
  expect(variablePrefix(plugin)).toBe(prefix);
  expect(['url', 'maxSizeMb', 'maxSizeMB', 'http2Only', 'a-b'].map(variableOf)).toEqual([
    'URL',
    'MAX_SIZE_MB',
    'MAX_SIZE_MB',
    'HTTP2_ONLY',
    'A_B',
  ]);
});

const forms: [string, (kit: typeof z) => unknown, string, unknown][] = [
  ['a text', (kit) => kit.string(), '007', '007'],
  ['a text of digits', (kit) => kit.string(), '42', '42'],
  ['a text that says true', (kit) => kit.string(), 'true', 'true'],
  ['a text with commas', (kit) => kit.string(), 'a,b', 'a,b'],
  ['a text in braces', (kit) => kit.string(), '{a}', '{a}'],
  ['a number', (kit) => kit.number(), '42', 42],
  ['a number with zeros', (kit) => kit.number().min(1), '1.50', 1.5],
  ['a number that is made of text', (kit) => kit.coerce.number(), '7', 7],
  ['true', (kit) => kit.boolean(), 'TRUE', true],
  ['1', (kit) => kit.boolean(), '1', true],
  ['off', (kit) => kit.boolean(), 'off', false],
  ['a boolean that is made of text', (kit) => kit.coerce.boolean(), 'false', false],
  ['a list', (kit) => kit.array(kit.string()), 'a, b,', ['a', 'b']],
  ['a list of one', (kit) => kit.array(kit.string()), 'a', ['a']],
  ['a list as JSON', (kit) => kit.array(kit.string()), '["a,b"]', ['a,b']],
  ['a list of numbers', (kit) => kit.array(kit.number()), '1,2', [1, 2]],
  ['an object as JSON', (kit) => kit.object({ a: kit.number() }), '{"a":1}', { a: 1 }],
  ['one of some', (kit) => kit.enum(['on', 'off']), 'off', 'off'],
  ['a number or a text', (kit) => kit.union([kit.number(), kit.string()]), 'auto', 'auto'],
  ['a default', (kit) => kit.number().default(3), '4', 4],
  ['what is optional', (kit) => kit.boolean().optional(), 'no', false],
];

test.each(forms)('converts %s to the type in the schema', (_name, field, text, value) => {
  for (const kit of [z, z4 as unknown as typeof z]) {
    expect(read(kit.object({ value: field(kit) as z.ZodTypeAny }), { VALUE: text }).raw).toEqual({ value });
  }
});

test('handles refined objects, and schemas with unknown keys', () => {
  const object = z.object({ maxSizeMb: z.number() });
  const refined = object.refine(({ maxSizeMb }) => maxSizeMb > 0).transform((all) => all);
  expect(read(refined, { MAX_SIZE_MB: '5' }).raw).toEqual({ maxSizeMb: 5 });
  const closed = { safeParse: (value: unknown) => object.safeParse(value) };
  expect(read(closed, { MAX_SIZE_MB: '5' }).raw).toEqual({ maxSizeMb: 5 });
});

const refusals: [string, (kit: typeof z) => unknown, string, RegExp][] = [
  ['no number', (kit) => kit.number(), 'http', /expected number, received string/i],
  ['a number above the most', (kit) => kit.number().max(10, 'at most 10'), '20', /^at most 10$/],
  ['a number in other digits', (kit) => kit.number().max(10, 'at most 10'), '20.0', /^at most 10$/],
  ['a number that must be whole', (kit) => kit.number().int(), '1.50', /expected int/i],
  [
    'a number that is not wanted',
    (kit) => kit.number().refine(() => false, 'not this one'),
    '3',
    /^not this one$/,
  ],
  ['a number with a default', (kit) => kit.number().min(5, 'at least 5').default(7), '1', /^at least 5$/],
  ['a boolean', (kit) => kit.boolean().refine((on) => on, 'must be on'), 'off', /^must be on$/],
  ['no boolean', (kit) => kit.boolean(), 'perhaps', /expected boolean, received string/i],
  [
    'a long list of numbers',
    (kit) => kit.array(kit.number()).max(2, 'at most two'),
    '1,2,3',
    /^at most two$/,
  ],
  ['one number of a list', (kit) => kit.array(kit.number().max(10, 'at most 10')), '1,20', /^at most 10$/],
  ['a long text', (kit) => kit.string().max(3, 'too long'), 'true', /^too long$/],
  ['a text of digits', (kit) => kit.string().max(3, 'too long'), '12345', /^too long$/],
  ['none of some', (kit) => kit.enum(['on', 'off'], { message: 'on or off' } as never), '5', /^on or off$/],
];

test.each(refusals)('reports the message of the schema for %s', (_name, field, text, words) => {
  for (const kit of [z, z4 as unknown as typeof z]) {
    const schema = kit.object({ value: field(kit) as z.ZodTypeAny });
    const { raw } = read(schema, { VALUE: text });
    const { error } = schema.safeParse(raw);
    expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringMatching(words)]);
  }
});

test('reports unused variables with the nearest name', () => {
  const { raw, warned } = read(z.object({ hostName: z.string() }), { HOSTNAME: 'a', HOST_NAME: 'b' });
  expect(raw).toEqual({ hostName: 'b' });
  expect(warned).toEqual([{ variable: `${prefix}HOSTNAME`, nearest: `${prefix}HOST_NAME` }]);
});

test('assigns a variable to the longer of two overlapping plugin names', () => {
  const schema = z.object({ url: z.string().optional(), clusterUrl: z.string().optional() });
  const others = [{ kind: 'storage' as const, id: 'maria-db-cluster' }];
  expect(read(schema, { URL: 'a', CLUSTER_URL: 'b' }, others).raw).toEqual({ url: 'a' });
  expect(read(schema, { URL: 'a', CLUSTER_URL: 'b' }).raw).toEqual({ url: 'a', clusterUrl: 'b' });
});

test.each([
  [z.object({ apiToken: z.string() }), { API_TOKEN: 'open-sesame' }],
  [z.object({ server: z.string().describe('secret: of the account') }), { SERVER: 'open-sesame' }],
  [z.object({ url: z.string() }), { URL: 'maria://ada:open-sesame@db/x' }],
  [z.object({ login: z.object({ password: z.string() }) }), { LOGIN: '{"password":"open-sesame"}' }],
])('secrets are kept out of texts', (schema, given) => {
  expect(read(schema, given).redact('it is open-sesame')).toBe('it is ***');
});

test('keeps values readable that are not secret', () => {
  const { redact } = read(z.object({ region: z.string(), url: z.string() }), {
    REGION: 'home',
    URL: 'https://ntfy.example.org/a',
  });
  expect(redact('/home of https://ntfy.example.org/a')).toBe('/home of https://ntfy.example.org/a');
});
