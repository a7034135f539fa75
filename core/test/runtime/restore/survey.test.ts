import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ReservedPlaces } from '../../../src/domain/reserved-places.js';
import type { RestoreOrder } from '../../../src/domain/restore.js';
import type { ArchiveEntry } from '../../../src/ports/backup-driver.js';
import { obstaclesOf } from '../../../src/runtime/restore/judge-survey.js';
import { Survey } from '../../../src/runtime/restore/survey.js';
import { identityOf, type RestoreTarget } from '../../../src/runtime/restore/target.js';
import { look } from '../../../src/runtime/restore/target-files.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const order = (fields: Partial<RestoreOrder>): RestoreOrder => ({
  ...{ repositoryId: 1, archive: 'a', archiveId: '', paths: [], stripComponents: 0 },
  ...{
    destinationConnectionId: null,
    destinationHost: null,
    destination: '/',
    overwrite: true,
    skipExisting: false,
  },
  ...fields,
});

async function* entries(...paths: string[]): AsyncGenerator<ArchiveEntry[]> {
  yield paths.map((path) => ({
    ...{ path: path.replace(/^\/|\/$/g, ''), type: path.endsWith('/') ? 'directory' : 'file' },
    ...{ size: 1, user: 'u', group: 'g', healthy: true, hardLinkTarget: null, symlinkTarget: null },
  })) as ArchiveEntry[];
}

async function survey(fields: Partial<RestoreOrder>, identity: string | null, ...paths: string[]) {
  const reserved = new ReservedPlaces([{ path: join(folder, 'data'), what: 'the data folder', identity }]);
  const target = { look, reserved } as Partial<RestoreTarget> as RestoreTarget;
  const asked = order(fields);
  const made = new Survey(asked, target);
  await made.addAll(entries(...paths));
  const judged = { survey: made, order: asked, parent: '/', freeBytes: 1e9, freeHere: null };
  return obstaclesOf({ ...judged, canSetOwners: true });
}

test('in place, what belongs to the service is not overwritten, though all around it is', async () => {
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'data', 'db'), '');
  expect(await survey({}, null, `${folder}/`, `${folder}/data/`, `${folder}/other`)).toEqual([]);
  const [obstacle] = await survey({}, null, `${folder}/`, `${folder}/data/`, `${folder}/data/db`);
  expect(obstacle).toBe(
    `${folder}/data/db: that is in the data folder. Choose other paths or another destination.`,
  );
});

test('nor under another name of its folder', async () => {
  await mkdir(join(folder, 'mounted'));
  const stats = await look(join(folder, 'mounted'));
  const [obstacle] = await survey({}, stats && identityOf(stats), `${folder}/mounted/db`);
  expect(obstacle).toMatch(/mounted: that is the data folder under another name/);
});

test('what passes through this machine needs room on it as well', async () => {
  const asked = order({ destination: folder, destinationConnectionId: 1 });
  const target = { look, reserved: new ReservedPlaces([]) } as Partial<RestoreTarget> as RestoreTarget;
  const made = new Survey(asked, target);
  await made.addAll(entries('one', 'two'));
  const judged = { survey: made, order: asked, parent: folder, freeBytes: 10, canSetOwners: true };
  expect(obstaclesOf({ ...judged, freeHere: 2 })).toEqual([]);
  expect(obstaclesOf({ ...judged, freeHere: 1 })).toEqual([
    expect.stringMatching(/data folder of the service/),
  ]);
});
