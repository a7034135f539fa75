import type { StorageSession } from '@holdfast/plugin-api';
import { type Message, say } from '../../foundation/kernel/index.js';
import { repositories } from '../registry/tables.js';
import type { EngineCore } from './engine-core.js';
import type { PlaceKind } from './running-jobs.js';
import type { JobRow } from './tables.js';

/** What a job waits for when there is no free place. */
export const freePlace = (
  { maxConcurrentJobs, maxConcurrentPulls }: EngineCore['settings'],
  kind: PlaceKind,
): Message =>
  kind === 'pull'
    ? say`waiting_for_pull_place: a free slot for backups of other hosts (limit: ${{ limit: maxConcurrentPulls ?? maxConcurrentJobs }})`
    : say`waiting_for_place: a free job slot (limit: ${{ limit: maxConcurrentJobs }})`;

/** Which kind of place a job takes. */
export async function placeOf(
  { storage, handlers }: { storage: StorageSession } & Pick<EngineCore, 'handlers'>,
  { kind, repository_id: id }: JobRow,
): Promise<PlaceKind> {
  const pulls = handlers.get(kind)?.pulls;
  if (!pulls || id === null) return 'work';
  const [repository] = await storage.find(repositories, { where: { id }, limit: 1 });
  return repository && pulls(repository) ? 'pull' : 'work';
}

/** The ids of repositories whose jobs may take a place for pulls. */
export async function pulledRepositories({ storage, handlers }: EngineCore): Promise<number[]> {
  const all = [...handlers.values()];
  const found = await storage.find(repositories);
  return found.filter((row) => all.some(({ pulls }) => pulls?.(row))).map(({ id }) => id);
}
