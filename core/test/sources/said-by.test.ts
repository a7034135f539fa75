import { DriverError } from '@holdfast/plugin-api/driver';
import { describe, expect, it } from 'vitest';
import { saidBy } from '../../src/backup/sources/said-by.js';
import { invalid, say } from '../../src/foundation/kernel/index.js';
import { plainRedactor } from '../fakes/plain-redactor.js';

const redactor = plainRedactor();
redactor.protect('sesame-4711');

describe('the sentence about a failed source', () => {
  it('hides secrets that a plugin names', () => {
    const { text } = saidBy({ redactor }, new Error('postgres://ann:sesame-4711@db does not answer'));
    expect(text).toContain('postgres://ann:***@db does not answer.');
  });

  it('hides a secret at the end of a long sentence', () => {
    const { text } = saidBy({ redactor }, new Error(`${'x'.repeat(490)} sesame-4711`));
    expect(text).not.toContain('sesame');
  });

  it('keeps the messages of the service', () => {
    const message = say`source_not_named: Name a source to check.`;
    expect(saidBy({ redactor }, invalid(message)).code).toBe('source_not_named');
    const lost = new DriverError('connection', 'The connection was lost.');
    expect(saidBy({ redactor }, lost).text).toBe('The connection was lost.');
  });

  it.each([['a text'], [{}], [null], [undefined], [new Error('')]])('is a sentence for %j', (thrown) => {
    expect(saidBy({ redactor }, thrown).text).toMatch(/\.$/);
  });
});
