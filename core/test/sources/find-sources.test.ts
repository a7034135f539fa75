import type { Source } from '@holdfast/plugin-api/source';
import { expect, test } from 'vitest';
import { type SourcesNeeds, sourcesUseCases } from '../../src/backup/sources/index.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const finding = (id: string, ...names: string[]) => ({
  id,
  source: { find: async () => names.map((name) => ({ name, settings: {} })) } as unknown as Source,
});

test('offers no database of the service itself', async () => {
  const needs = {
    storage: memoryStorage(),
    programs: { name: 'here' },
    sourceKinds: [
      finding('sqlite', '/data/holdfast.db', '/data/copies/old.db', '/database.db'),
      finding('postgresql', 'holdfast', 'shop'),
      finding('mysql', 'holdfast'),
    ],
    settings: { dataDirectory: '/data', reservedPaths: [{ path: '/data' }], ownDatabase: 'holdfast' },
  } as unknown as SourcesNeeds;
  const { candidates } = await sourcesUseCases(needs).findSources({});
  expect(candidates.map(({ kind, name }) => [kind, name])).toEqual([
    ['sqlite', '/database.db'],
    ['postgresql', 'shop'],
    ['mysql', 'holdfast'],
  ]);
});
