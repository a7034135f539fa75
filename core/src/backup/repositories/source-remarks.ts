import type { FoundSource } from '@holdfast/plugin-api/driver';
import { type Message, say, silentPlace, withinTime } from '../../foundation/kernel/index.js';
import { leftOutBy } from './left-out.rules.js';
import type { RepositoriesNeeds } from './needs.js';
import { ownFolderIn } from './own-folder.rules.js';
import { asSaved, symlinkRemark } from './repository.rules.js';
import { type RepositoryRow, repositories } from './tables.js';

type Given = Pick<
  RepositoryRow,
  'source_directories' | 'source_connection_id' | 'exclude_patterns' | 'custom_flags' | 'pre_backup_script'
>;
type Needs = Pick<RepositoriesNeeds, 'files'>;

/** A network drive that does not answer must not block the request. */
const patienceMs = 2_000;

/** Remarks about sources on this machine. Sources on other hosts are examined during the backup. */
export async function sourceRemarks(
  { files, driver, settings }: Needs & Pick<RepositoriesNeeds, 'driver' | 'settings'>,
  given: Given,
): Promise<string[]> {
  const { source_directories, source_connection_id } = given;
  if (source_connection_id !== null) return [];
  const look = () => Promise.all(source_directories.map((path) => files.lookAt(path)));
  const found = await withinTime(patienceMs, look, () => new Error('late')).catch((): FoundSource[] => []);
  const { excluded } = leftOutBy(driver, given);
  const own = ownFolderIn(source_directories, { dataDirectory: settings.dataDirectory, excluded });
  const seen = found.map(asSaved(given));
  return [
    ...seen.flatMap((source) => remarkOn(source, given.pre_backup_script != null)),
    ...(own ? [String(own)] : []),
  ];
}

function remarkOn(source: FoundSource, hasScript: boolean): string[] {
  if (source.state === 'symlink') return [symlinkRemark(source).text];
  if (source.state === 'unreadable') return [`${source.path} can't be read by the service user.`];
  if (source.state === 'silent') return [String(silentPlace(source.path))];
  if (source.state !== 'missing') return [];
  if (hasScript) return [String(missingBeforeScript([source.path]))];
  return [
    String(
      say`source_missing: ${{ path: source.path }} does not exist: mount or create it before the first backup.`,
    ),
  ];
}

export const missingBeforeScript = (paths: readonly string[]): Message =>
  say`sources_missing_before_script: These sources do not exist now: ${{ paths: [...paths] }}. If the script before the backup mounts them, they can only be checked during the backup.`;

/** Logs at start-up which sources can't be read. Never rejects. */
export async function reportUnreadableSources({
  storage,
  files,
  log,
}: Needs & RepositoriesNeeds): Promise<void> {
  try {
    const unreadable = await unreadableSources({ storage, files });
    if (unreadable.length === 0) return;
    log.warn("sources can't be read by the service user: backups will not include them", {
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
