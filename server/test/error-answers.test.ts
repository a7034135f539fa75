import { AppError, say } from '@holdfast/core/server';
import { StoreError } from '@holdfast/plugin-api';
import { DriverError, type DriverErrorKind } from '@holdfast/plugin-api/driver';
import { RequestValidationError } from '@ts-rest/express';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { answerTo } from '../src/http/errors/error-answers.js';

const drivers: [DriverErrorKind, number][] = [
  ['passphrase_wrong', 400],
  ['repository_exists', 409],
  ['archive_missing', 404],
  ['path_missing', 404],
  ['locked', 409],
  ['connection', 503],
  ['tool_missing', 503],
  ['tool_too_old', 503],
  ['failed', 500],
];

test.each(drivers)('maps DriverError %s to %i', (kind, status) => {
  expect(answerTo(new DriverError(kind, 'Short text.'))).toMatchObject({ status });
});

test('names the holder of a lock and when to retry', () => {
  const answer = answerTo(new DriverError('locked', 'x', { holder: 'pid 7 on nas' }));
  expect(answer).toMatchObject({ status: 409, detail: expect.stringContaining('pid 7 on nas') });
  expect(answer.retryAfterSeconds).toBeGreaterThan(0);
});

test('errors of the storage', () => {
  expect(answerTo(new StoreError('unique', 'x', { key: 'name' }))).toMatchObject({ status: 409 });
  expect(answerTo(new StoreError('unavailable', 'x'))).toMatchObject({ status: 503, retryAfterSeconds: 5 });
  expect(answerTo(new StoreError('conflict', 'x'))).toMatchObject({ status: 503, retryAfterSeconds: 1 });
  expect(answerTo(new StoreError('invalid', 'no such column'))).toMatchObject({ status: 500 });
});

test('returns an AppError unchanged', () => {
  const error = new AppError('too_many', say`wait: Wait ${{ time: 'a minute' }}.`, {
    retryAfterSeconds: 60,
  });
  expect(answerTo(error)).toMatchObject({
    status: 429,
    detail: 'Wait a minute.',
    retryAfterSeconds: 60,
    code: 'wait',
    params: { time: 'a minute' },
  });
});

test.each([new Error('SELECT secret'), 'text', null, undefined, { status: 500 }, { status: 'x' }])(
  'reveals nothing internal of other errors',
  (error) => {
    expect(answerTo(error)).toEqual({
      status: 500,
      code: 'internal',
      params: {},
      detail: expect.not.stringContaining('SELECT'),
    });
  },
);

const refused = (schema: z.ZodTypeAny, value: unknown) => {
  const { error } = schema.safeParse(value);
  return answerTo(new RequestValidationError(null, null, null, error ?? null));
};

const body = z.object({
  name: z.string().min(3),
  port: z.number().int().min(1),
  mode: z.enum(['full', 'observe']).optional(),
  list: z.array(z.string()).optional(),
});

test('describes a wrong body in one readable sentence and a list', () => {
  expect(refused(body, { name: 'x', port: 1.5, mode: 'on', list: [1] })).toEqual({
    status: 400,
    code: 'fields_invalid',
    detail:
      'name must have at least 3 characters; port must be a whole number, not a number with a fraction; ' +
      'mode must be one of full, observe; list.0 must be text, not a number.',
    errors: [
      { path: 'name', message: 'must have at least 3 characters' },
      { path: 'port', message: 'must be a whole number, not a number with a fraction' },
      { path: 'mode', message: 'must be one of full, observe' },
      { path: 'list.0', message: 'must be text, not a number' },
    ],
  });
  expect(refused(body, {}).detail).toBe('name is required; port is required.');
  expect(refused(body, { name: 'abc', port: null }).detail).toBe('port must be a number, not null.');
  expect(refused(body, { name: 'abc', port: 0 }).detail).toBe('port must be at least 1.');
  expect(refused(body, []).detail).toBe('The body must be an object, not a list.');
});

test('joins its messages with the field name', () => {
  const ours = z.object({ id: z.string().regex(/^\d+$/, 'must be a positive whole number') });
  expect(refused(ours, { id: 'x' }).detail).toBe('id must be a positive whole number.');
});
