import { expect, test } from 'vitest';
import { makeRedactor } from '../src/adapters/redactor.js';
import { secretsOfUri } from '../src/adapters/secret-uri.js';

test('hides a URI with a password, and the password', () => {
  const uri = 'mongodb://backup:p%40ss%2Fword@one:27017,two/holdfast?tls=true';
  const redactor = makeRedactor();
  for (const secret of secretsOfUri(uri)) redactor.protect(secret);
  expect(redactor.redact(`connecting to ${uri}`)).toBe('connecting to ***');
  expect(redactor.redact('the password p@ss/word, written p%40ss%2Fword')).toBe(
    'the password ***, written ***',
  );
});

test('secrets among the options are found as well', () => {
  const secrets = secretsOfUri('mongodb://h/?tlsCertificateKeyFilePassword=a%20b&tls=true');
  expect(secrets).toEqual(expect.arrayContaining(['a%20b', 'a b']));
});

test('hides a URI without a password only as a whole', () => {
  const uri = 'mongodb://127.0.0.1:27017/holdfast?a=b:c@d';
  expect(secretsOfUri(uri)).toEqual([uri]);
  expect(secretsOfUri(undefined)).toEqual([]);
});

test('keeps a password with invalid percent-encoding unchanged', () => {
  expect(secretsOfUri('mongodb://u:50%@h')).toEqual(['mongodb://u:50%@h', '50%', '50%']);
});
