import type { StorageBackend } from '@holdfast/plugin-api';
import type { Source } from '@holdfast/plugin-api/source';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { planPurpose } from '../../src/backup/hooks/hook-journal.js';
import { hookJournals, waitsForRelease } from '../../src/backup/hooks/index.js';
import { type RepositoryRow, repositories, type StoredSource } from '../../src/backup/repositories/tables.js';
import { waitsForClaims } from '../../src/backup/sources/index.js';
import {
  type HeldHandler,
  heldHandler,
  type Instance,
  insertRepository,
  jobRow,
  memoryStorage,
  pass,
  request,
  startInstance,
} from '../jobs/engine-world.js';

const source = {
  claims: ({ stop = '', password = '' }, folders) =>
    stop === 'all' ? folders : [...stop.split(' '), password].filter((name) => name !== ''),
} as Partial<Source> as Source;
const sourceKinds = ['container', 'other'].map((id) => ({ id, source }));

const secrets = {
  seal: (purpose: string, plain: string) => `${purpose} ${plain}`,
  open: (purpose: string, sealed: string) => sealed.slice(purpose.length + 1),
};

let storage: StorageBackend;
let backup: HeldHandler;
let instance: Instance;

beforeEach(() => {
  vi.useFakeTimers();
  storage = memoryStorage();
  backup = heldHandler();
  const needs = { sourceKinds, secrets };
  instance = startInstance({
    storage,
    handlers: [
      {
        ...backup,
        waitsFor: async (session, job) =>
          (await waitsForClaims(needs, session, job)) ?? waitsForRelease(needs, session, job),
      },
    ],
  });
});
afterEach(async () => {
  const stopped = instance.stop(0);
  await pass(60_000);
  await stopped;
  vi.useRealTimers();
});

interface Given extends Partial<Pick<StoredSource, 'kind' | 'container' | 'settings'>> {
  connection?: number;
  folders?: string[];
}

async function repositoryWith(
  name: string,
  {
    connection,
    folders = ['/home'],
    kind = 'container',
    container = null,
    settings = { stop: 'shop' },
  }: Given,
): Promise<RepositoryRow> {
  const row = await insertRepository(storage, name);
  const changes = {
    sources: [{ uid: name, kind, name, container, settings }],
    source_connection_id: connection ?? null,
    source_directories: folders,
  };
  await storage.update(repositories, { id: row.id }, changes);
  return { ...row, ...changes };
}

/** Starts a backup of each; the ids, and the ids of those that began. */
async function both(one: Given, two: Given) {
  const ids: number[] = [];
  for (const [name, given] of Object.entries({ one, two })) {
    ids.push((await request(instance, await repositoryWith(name, given))).id);
    await pass(10);
  }
  return { ids, begun: () => backup.runs.map(({ context }) => context.job.id) };
}

describe('backups that prepare the same source', () => {
  it('run one after the other, and report the reason', async () => {
    const { ids, begun } = await both({}, { settings: { stop: 'mail shop' } });
    const [first = 0, second = 0] = ids;
    expect(begun()).toEqual([first]);
    expect((await jobRow(storage, second)).waiting_for).toBe(
      `backup job ${first} of repository one, which prepares the same source`,
    );
    backup.runs[0]?.finish();
    await pass(15_000);
    expect(begun()).toEqual([first, second]);
    expect((await jobRow(storage, second)).waiting_for).toBeNull();
  });

  it('run one after the other when their folders are claimed', async () => {
    const settings = { stop: 'all' };
    const { ids, begun } = await both({ settings }, { settings, folders: ['/srv', '/home'] });
    expect(begun()).toEqual(ids.slice(0, 1));
  });

  it.each<[string, Given, Given]>([
    ['on different hosts', {}, { connection: 1 }],
    ['in different containers', { container: 'a' }, { container: 'b' }],
    ['of different kinds', {}, { kind: 'other' }],
    ['with other names', {}, { settings: { stop: 'mail' } }],
    ['with other folders', { settings: { stop: 'all' } }, { settings: { stop: 'all' }, folders: ['/srv'] }],
    ['that claim nothing', { settings: {} }, { settings: {} }],
    [
      'that have a secret in common',
      { settings: { password: { sealed: 'x' } } },
      { settings: { password: { sealed: 'x' } } },
    ],
  ])('run at the same time %s', async (_, one, two) => {
    const { ids, begun } = await both(one, two);
    expect(begun()).toEqual(ids);
  });
});

describe('backups whose source is not released yet', () => {
  /** The journal of a backup that has ended. */
  const journalOf = (uid: string, { sources: all, source_connection_id: connectionId }: RepositoryRow) =>
    storage.insert(hookJournals, {
      uid,
      scope: 'job',
      job_id: 99,
      job_ids: [99],
      plan: secrets.seal(
        planPurpose(uid),
        JSON.stringify({ pre: [], post: [], environment: {}, sources: { all, connectionId } }),
      ),
      stage: 'after',
      failures: [],
      created_at: 0,
      sources: [{ ...blank, undo: { held: 'shop' } }],
    });
  const blank = {
    uid: 'x',
    kind: 'container',
    name: 'the shop',
    undo: null,
    dumps: [],
    paths: [],
    failure: null,
    begun: 0,
    prepared: 1,
    released: null,
  };
  const began = () => backup.runs.length;

  it('wait until it is, and report the reason', async () => {
    const repository = await repositoryWith('one', {});
    const journal = await journalOf('a', repository);
    const { id } = await request(instance, repository);
    await pass(15_000);
    expect(began()).toBe(0);
    expect((await jobRow(storage, id)).waiting_for).toBe('the release of the shop after backup job 99');
    await storage.update(hookJournals, { id: journal.id }, { sources: [{ ...blank, released: 2 }] });
    await pass(15_000);
    expect(began()).toBe(1);
  });

  it('start when they prepare something else, or are closed', async () => {
    await journalOf('a', await repositoryWith('one', {}));
    await request(instance, await repositoryWith('two', { settings: { stop: 'mail' } }));
    await request(instance, await repositoryWith('three', { connection: 1 }));
    await pass(10);
    expect(began()).toBe(2);
    await storage.update(hookJournals, {}, { stage: 'closed' });
    await request(instance, await repositoryWith('four', {}));
    await pass(10);
    expect(began()).toBe(3);
  });
});
