import { expect, test } from 'vitest';
import { makeRedactor } from '../src/adapters/redactor.js';
import { secretsOfUri } from '../src/adapters/secret-uri.js';

test('a URI with a password: neither it nor the password is shown', () => {
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

test('a URI without a password is kept back as a whole only', () => {
  const uri = 'mongodb://127.0.0.1:27017/holdfast?a=b:c@d';
  expect(secretsOfUri(uri)).toEqual([uri]);
  expect(secretsOfUri(undefined)).toEqual([]);
});

test('a password that is no percent-encoding stays as it is', () => {
  expect(secretsOfUri('mongodb://u:50%@h')).toEqual(['mongodb://u:50%@h', '50%', '50%']);
});
