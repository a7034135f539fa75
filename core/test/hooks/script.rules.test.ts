import { expect, it } from 'vitest';
import {
  detectParameters,
  maskValues,
  parametersAfter,
  scriptText,
} from '../../src/backup/hooks/script.rules.js';

const variable = (name: string, fallback?: string) =>
  `\${${name}${fallback === undefined ? '' : `:-${fallback}`}}`;
const names = (found: { name: string }[]) => found.map(({ name }) => name);

it('finds exactly the parameters that a text reads from its environment', () => {
  const text = [
    ...['B_HOST', 'A', 'B_HOST', 'PATH', 'HOME', 'BASH_SOURCE', 'BK_UI_JOB_ID', 'lower'].map((name) =>
      variable(name),
    ),
    ...[variable('B_HOST', 'localhost'), '$PLAIN', variable('1A')],
  ].join(' ');
  expect(detectParameters(text)).toEqual([
    { name: 'A', type: 'text', default: '', description: '', required: false },
    { name: 'B_HOST', type: 'text', default: 'localhost', description: '', required: false },
  ]);
});

it.each([
  'DB_PASSWORD',
  'API_TOKEN',
  'A_SECRET',
  'MY_KEY',
  'X_API_KEY',
  'X_APIKEY',
  'GPG_PASSPHRASE',
  'B_AUTH',
  'C_CREDENTIALS',
])('takes %s for a secret', (name) =>
  expect(detectParameters(variable(name))).toMatchObject([{ name, type: 'password' }]),
);

it('keeps the settings of a parameter when the text changes', () => {
  const before = ['KEPT', 'PLAIN', 'DROPPED'].map((name) => ({
    name,
    type: 'text' as const,
    default: '1',
    description: 'told',
    required: true,
  }));
  const after = parametersAfter(`echo ${variable('KEPT')} ${variable('NEW')} $PLAIN $DROPPED_NOT`, before);
  expect(names(after)).toEqual(['KEPT', 'NEW', 'PLAIN']);
  expect(after[0]).toBe(before[0]);
});

it('makes a text fit for a shell', () => {
  expect(scriptText('\ufeff#!/bin/sh\r\necho a\r\nprintf "\r"\n')).toBe('#!/bin/sh\necho a\nprintf "\r"\n');
});

it('masks encrypted values and values that became secret later', () => {
  const declared = [{ name: 'B', type: 'password' as const, default: '', description: '', required: false }];
  expect(maskValues({ A: 'a', B: 'b', C: { sealed: 'x' } }, declared)).toEqual({
    A: 'a',
    B: '***',
    C: '***',
  });
});

it('looks once at a text full of defaults that nothing closes', () => {
  expect(detectParameters('${A:-'.repeat(50_000))).toEqual([]);
  expect(names(detectParameters(`${variable('A', 'b')} ${'${B:-'.repeat(50_000)}`))).toEqual(['A']);
});
