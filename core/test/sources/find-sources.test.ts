import type { Source } from '@holdfast/plugin-api/source';
import { expect, test } from 'vitest';
import { type SourcesNeeds, sourcesUseCases } from '../../src/backup/sources/index.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { plainRedactor } from '../fakes/plain-redactor.js';

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

test('reports a container that does not run as a finding of the check', async () => {
  const text = 'Container shop is not running: start it.';
  const check = async () => [{ status: 'ok', text: '' }];
  const needs = {
    storage: memoryStorage(),
    programs: { name: 'here' },
    redactor: plainRedactor(),
    sourceKinds: [
      { id: 'container', source: { fields: [], enter: () => Promise.reject(new Error(text)) } },
      { id: 'postgresql', source: { fields: [], check } },
    ],
  } as unknown as SourcesNeeds;
  const source = { kind: 'postgresql', name: 'shop', container: 'shop', settings: {} };
  const { findings } = await sourcesUseCases(needs).checkSource({ source });
  expect(findings).toEqual([{ status: 'failed', text }]);
  const removed = sourcesUseCases(needs).checkSource({ source, connection_id: 7 });
  await expect(removed).rejects.toMatchObject({ reason: { code: 'source_host_removed' } });
});
