import { StoreError } from '@holdfast/plugin-api';
import { DriverError } from '@holdfast/plugin-api/driver';
import { describe, expect, it, test } from 'vitest';
import {
  errorColumns,
  invalid,
  lastErrorColumns,
  messageFrom,
  messageOf,
  RemoteHostError,
  say,
  together,
  toolWarnings,
} from '../../src/foundation/kernel/index.js';

const full = say`disk_full: The disk of ${{ host: 'nas' }} is full: ${{ paths: ['/a', '/b'] }} (${{ count: 2 }}).`;

describe('the message of a caught error', () => {
  it('is the sentence of the error, with its code and values', () => {
    expect(messageOf(invalid(full))).toEqual(full);
  });

  it('uses the kind of a tool or host error as code, with their text', () => {
    expect(messageOf(new DriverError('no_space', 'No space left.'))).toMatchObject({
      code: 'tool_no_space',
      params: { problem: 'No space left.' },
      text: 'No space left.',
    });
    expect(messageOf(new RemoteHostError('timeout', 'No answer.', { step: 'connect' }))).toMatchObject({
      code: 'host_timeout',
      params: { problem: 'No answer.' },
      text: 'No answer.',
    });
  });

  it('names the holder of a lock', () => {
    const locked = (holder?: string) =>
      messageOf(new DriverError('locked', 'It is locked.', holder ? { holder } : {}));
    expect(locked('pid 7')).toMatchObject({
      code: 'repository_locked',
      params: { holder: 'pid 7' },
      text: 'It is locked.',
    });
    expect(locked()).toMatchObject({ code: 'repository_locked_unknown', params: {} });
  });

  it('reveals no details of the database or of unexpected errors', () => {
    const unavailable = messageOf(new StoreError('unavailable', 'password=1'));
    expect(unavailable.code).toBe('storage_unavailable');
    expect(messageOf(new StoreError('unique', 'x', { key: 'name' }))).toMatchObject({
      code: 'value_in_use',
      params: { field: 'name' },
    });
    for (const error of [
      new Error('password=1'),
      new StoreError('invalid', 'password=1'),
      'password=1',
      null,
    ]) {
      expect(messageOf(error).code).toBe('internal');
      expect(`${messageOf(error)}${unavailable}`).not.toContain('password');
    }
  });
});

describe('several sentences', () => {
  it('keep their codes in their order', () => {
    expect(together([])).toBeNull();
    expect(together([full])).toBe(full);
    expect(together([full, ...toolWarnings(['A file changed.'])])).toMatchObject({
      code: 'several_sentences',
      params: { codes: ['disk_full', 'tool_warning'], sentences: [full.text, 'A file changed.'] },
      text: `${full} A file changed.`,
    });
  });

  it('are not all listed when they are many', () => {
    const many = together(toolWarnings(Array.from({ length: 1_000 }, (_, index) => `${index}.`)));
    expect(many?.params.sentences).toHaveLength(20);
    expect(many?.text).toContain('999.');
  });
});

test('applies a change to the text and each of its values', () => {
  expect(full.map((text) => text.replaceAll('/a', '***'))).toMatchObject({
    text: 'The disk of nas is full: ***, /b (2).',
    params: { host: 'nas', paths: ['***', '/b'], count: 2 },
  });
});

test('writes and clears its columns together', () => {
  expect(errorColumns(full)).toEqual({
    error_message: full.text,
    error_code: 'disk_full',
    error_params: { host: 'nas', paths: ['/a', '/b'], count: 2 },
  });
  expect(lastErrorColumns(null)).toEqual({
    last_error: null,
    last_error_code: null,
    last_error_params: null,
  });
});

test('reads a stored message, and one of an earlier release', () => {
  expect(messageFrom(JSON.parse(JSON.stringify(full)))).toEqual(full);
  expect(messageFrom('It failed.')).toMatchObject({
    code: 'sentence_of_earlier_release',
    text: 'It failed.',
  });
});
