import type { FoundSource } from '@holdfast/plugin-api/driver';
import { withinTime } from '../kernel/index.js';
import type { RepositoriesNeeds } from './needs.js';
import { symlinkRemark } from './repository.rules.js';
import { type RepositoryRow, repositories } from './tables.js';

type Given = Pick<RepositoryRow, 'source_directories' | 'source_connection_id'>;
type Needs = Pick<RepositoriesNeeds, 'files'>;

/** A network drive that does not answer must not block the request. */
const patienceMs = 2_000;

/** Remarks about sources on this machine. Sources on other hosts are examined during the backup. */
export async function sourceRemarks(
  { files }: Needs,
  { source_directories, source_connection_id }: Given,
): Promise<string[]> {
  if (source_connection_id !== null) return [];
  const look = () => Promise.all(source_directories.map((path) => files.lookAt(path)));
  const found = await withinTime(patienceMs, look, () => new Error('late')).catch((): FoundSource[] => []);
  return found.flatMap((source) => {
    if (source.state === 'symlink') return [symlinkRemark(source)];
    return source.state === 'unreadable' ? [`${source.path} can't be read by the user of the service.`] : [];
  });
}

/** Logs at start-up which sources can't be read. Never rejects. */
export async function reportUnreadableSources({
  storage,
  files,
  log,
}: Needs & Pick<RepositoriesNeeds, 'storage' | 'log'>): Promise<void> {
  try {
    const unreadable = await unreadableSources({ storage, files });
    if (unreadable.length === 0) return;
    log.warn("sources can't be read by the user of the service: their backups will lack them", {
      unreadable,
    });
  } catch (error) {
    log.info('the sources could not be examined', { error });
  }
}

export async function unreadableSources({
  storage,
  files,
}: Needs & Pick<RepositoriesNeeds, 'storage'>): Promise<{ repository: string; path: string }[]> {
  const local = await storage.find(repositories, { where: { mode: 'full', source_connection_id: null } });
  const found = await Promise.all(
    local.map(async ({ name, source_directories }) => {
      const sources = await Promise.all(source_directories.map((path) => files.lookAt(path)));
      const denied = sources.filter(({ state }) => state === 'unreadable');
      return denied.map(({ path }) => ({ repository: name, path }));
    }),
  );
  return found.flat();
}
