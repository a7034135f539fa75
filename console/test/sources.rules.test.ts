import { describe, expect, it } from 'vitest';
import { containersIn, hasStoredSecret, isTaken } from '../src/ui/sources.rules.js';

const source = (kind: string, name: string, more = {}) => ({
  kind,
  name,
  container: null,
  settings: {},
  ...more,
});

describe('sources in a form', () => {
  it('keep their names while they have a stored secret', () => {
    const settings = { host: 'db', password: '***' };
    expect(hasStoredSecret(source('mysql', 'shop', { settings }))).toBe(true);
    expect(hasStoredSecret(source('mysql', 'shop', { settings: { ...settings, password: 'new' } }))).toBe(
      false,
    );
  });

  it('have a name of their own among those of their kind', () => {
    const others = [source('mysql', 'shop')];
    expect(isTaken(source('mysql', ' shop '), others)).toBe(true);
    expect(isTaken(source('sqlite', 'shop'), others)).toBe(false);
  });

  it('suggest each container that was found once', () => {
    const found = [
      source('container', 'db'),
      source('mysql', 'shop', { container: 'db' }),
      source('sqlite', '/a'),
    ];
    expect(containersIn(found)).toEqual(['db']);
  });
});
