import { describe, expect, it } from 'vitest';
import { phaseOf, secondsBetween } from '../src/screens/activity/sources.rules.js';
import { dumpAt, isGlobals, namesFor, placesOf } from '../src/screens/browse/dump.rules.js';

describe('a dump in an archive', () => {
  it('is known by its path, with decoded names', () => {
    expect(dumpAt('holdfast-sources/sqlite/my%20shop/%2Fsrv%2Fshop.db')).toEqual({
      kind: 'sqlite',
      source: 'my shop',
      name: '/srv/shop.db',
    });
  });

  it.each([
    'holdfast-sources/sqlite/shop',
    'home/holdfast-sources/sqlite/shop/a',
    'holdfast-sources/sqlite/shop/%E0',
  ])('is not at %s', (path) => {
    expect(dumpAt(path)).toBeNull();
  });

  it.each([
    ['shop.dump', 'shop', 'shop_restored'],
    ['my.shop.sql', 'my.shop', 'my.shop_restored'],
    ['shop', 'shop', 'shop_restored'],
    ['/srv/a.b/shop.db', '/srv/a.b/shop.db', '/srv/a.b/shop_restored.db'],
    ['/srv/a.b/shop', '/srv/a.b/shop', '/srv/a.b/shop_restored'],
    ['/srv/.db', '/srv/.db', '/srv/.db_restored'],
  ])('named %s gets a new name', (name, old, fresh) => {
    expect(namesFor({ kind: '', source: '', name })).toEqual({ old, fresh });
  });

  it('has the roles of a PostgreSQL server in a file of its own', () => {
    expect(isGlobals({ kind: 'postgresql', source: 'shop', name: 'globals.sql' })).toBe(true);
    expect(isGlobals({ kind: 'mysql', source: 'shop', name: 'globals.sql' })).toBe(false);
  });

  it('goes to the server of its source', () => {
    const at = (settings: Record<string, string>, container: string | null = null) =>
      placesOf({ kind: 'mysql', name: 'shop', container, settings });
    expect(at({ host: 'db', port: '3307' }, 'shop-db-1')).toEqual(['shop-db-1', 'db:3307']);
    expect(at({ host: 'db' })).toEqual(['db']);
    expect(at({ socket: '/run/mysqld.sock' })).toEqual(['/run/mysqld.sock']);
    expect(at({})).toEqual([]);
  });
});

describe('a source of a job', () => {
  const begun = '2026-05-03T12:00:00.000Z';
  const prepared = '2026-05-03T12:00:00.300Z';
  const source = (more = {}) =>
    ({ kind: 'sqlite', name: 'shop', begun_at: begun, error_message: null, ...more }) as never;

  it.each([
    [{ prepared_at: null, released_at: null }, 'preparing', 'cancelled'],
    [{ prepared_at: prepared, released_at: null }, 'inUse', 'held'],
    [{ prepared_at: prepared, released_at: prepared }, 'released', 'released'],
    [{ prepared_at: null, released_at: prepared, error_message: 'No file matches.' }, 'failed', 'failed'],
  ])('is shown with %o as %s, and after the job as %s', (more, running, ended) => {
    expect(phaseOf(source(more), false)).toBe(running);
    expect(phaseOf(source(more), true)).toBe(ended);
  });

  it('took the time between two instants', () => {
    expect(secondsBetween(begun, prepared)).toBeCloseTo(0.3);
  });
});
