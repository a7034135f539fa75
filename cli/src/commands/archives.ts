import type { Schemas } from '@holdfast/client';
import { archiveCalled, pick, repositoriesOf, repositoryCalled } from '../pick.js';
import { answer, connect, type ServiceOptions } from '../service.js';
import { note, print, printJson, printTable, printWhole } from '../terminal.js';
import { bytes, counted, time } from '../text.js';
import { numberIn } from './jobs.js';

interface Options extends ServiceOptions {
  json?: boolean;
}

/** Repositories, the archives of one, or one folder of an archive. */
export async function list(
  [name, archive, path = '']: [string | undefined, string | undefined, string | undefined],
  { json, last, ...service }: Options & { last?: string },
): Promise<number> {
  const client = await connect(service);
  if (name === undefined) {
    const listed = await answer(client.GET('/api/repositories/'));
    if (json) printJson(listed);
    else
      printTable(
        listed.repositories.map((each) => [
          each.name,
          counted(each.archive_count, 'archive'),
          time(each.last_backup) || 'no backup yet',
          each.path,
        ]),
      );
  } else if (archive === undefined) {
    const { id } = await repositoryCalled(client, name);
    const limit = last === undefined ? undefined : numberIn(last, '--last');
    const query = { repository_id: id, limit };
    const listed = await answer(client.GET('/api/archives/list', { params: { query } }));
    if (json) printJson(listed);
    else printTable(listed.archives.map(archiveRow));
  } else {
    const found = await archiveCalled(client, archive, name);
    const query = { repository_id: found.repository.id, path };
    const params = { path: { archive_id: `${found.id}` }, query };
    const contents = await answer(client.GET('/api/archives/{archive_id}/contents', { params }));
    if (json) printJson(contents);
    else printTable(contents.items.map(contentRow));
  }
  return 0;
}

const archiveRow = ({ name, start, original_size: size, damaged, pinned }: Schemas['ArchiveView']) => [
  name,
  time(start),
  size === null ? '' : bytes(size),
  [damaged && 'damaged', pinned && `pinned: ${pinned.reason}`].filter(Boolean).join(', '),
];

const endings = { directory: '/', symlink: ' -> ', file: '', other: '' };

const contentRow = ({ name, type, size, mtime, symlink_target, healthy }: Schemas['ContentItem']) => [
  `${name}${endings[type]}${symlink_target ?? ''}`,
  type === 'directory' ? '' : bytes(size),
  time(mtime),
  healthy ? '' : 'damaged',
];

interface FindOptions extends Options {
  repository?: string;
  deleted?: boolean;
  type?: Schemas['ContentItem']['type'];
  caseSensitive?: boolean;
  since?: string;
  until?: string;
  limit?: string;
}

/** Exits with 1 if nothing was found, like grep. */
export async function find(text: string, { json, repository, ...options }: FindOptions): Promise<number> {
  const client = await connect(options);
  const query = {
    query: text,
    mode: /[*?[{]/.test(text) ? ('glob' as const) : undefined,
    deleted: options.deleted,
    type: options.type,
    case_sensitive: options.caseSensitive,
    modified_since: options.since,
    modified_until: options.until,
    limit: options.limit === undefined ? undefined : numberIn(options.limit, '--limit'),
  };
  if (repository !== undefined) {
    const { id, name } = await repositoryCalled(client, repository);
    const { query: q, ...filters } = query;
    const params = { path: { repo_id: id }, query: { q, ...filters } };
    const found = await answer(client.GET('/api/repositories/{repo_id}/search', { params }));
    if (json) printJson(found);
    else printFound([{ ...found, repository_name: name }]);
    return found.items.length > 0 ? 0 : 1;
  }
  const found = await answer(client.GET('/api/archives/search-everywhere', { params: { query } }));
  if (json) printJson(found);
  else printFound(found.repositories);
  return found.repositories.some(({ items }) => items.length > 0) ? 0 : 1;
}

type Found = Pick<Schemas['RepositorySearch'], 'items' | 'truncated' | 'not_searched'> & {
  repository_name: string;
};

function printFound(repositories: readonly Found[]): void {
  printTable(
    repositories.flatMap(({ repository_name: name, items }) =>
      items.map(({ path, versions }) => {
        const newest = versions.at(-1);
        const archives = versions.flatMap((version) => version.archives);
        const size = newest?.type === 'file' ? bytes(newest.size) : (newest?.type ?? '');
        return [
          path,
          size,
          time(newest?.mtime),
          name,
          newest?.archives.at(-1) ?? '',
          counted(archives.length, 'archive'),
        ];
      }),
    ),
  );
  for (const { repository_name: name, items, truncated, not_searched: missing } of repositories) {
    if (truncated) note(`${name}: more than ${items.length} paths match. Narrow the pattern.`);
    if (missing.length > 0) note(`${name}: ${counted(missing.length, 'archive')} not searched.`);
  }
  if (repositories.every(({ items }) => items.length === 0)) note('Nothing was found.');
}

interface PinOptions extends Options {
  repository?: string;
  reason: string;
  until?: string;
}

export async function pin(name: string, { reason, until, ...options }: PinOptions): Promise<number> {
  const client = await connect(options);
  const { id, repository } = await archiveCalled(client, name, options.repository);
  const params = { path: { archive_id: `${id}` } };
  const body = { repository_id: repository.id, reason, until };
  const pinned = await answer(client.POST('/api/archives/{archive_id}/pin', { params, body }));
  if (options.json) printJson(pinned);
  else print(pinned.message);
  return 0;
}

export async function unpin(name: string, options: Omit<PinOptions, 'reason'>): Promise<number> {
  const client = await connect(options);
  const { id, repository } = await archiveCalled(client, name, options.repository);
  const params = { path: { archive_id: `${id}` }, query: { repository_id: repository.id } };
  const unpinned = await answer(client.DELETE('/api/archives/{archive_id}/pin', { params }));
  if (options.json) printJson(unpinned);
  else print(unpinned.message);
  return 0;
}

/** A word of a shell. */
const word = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
/** Borg treats a single brace as the start of a placeholder. */
const literal = (text: string) => text.replace(/[{}]/g, '$&$&');

/** Commands that open the archives as folders, without Holdfast. */
export async function mountHint(
  name: string,
  archive: string | undefined,
  options: Options,
): Promise<number> {
  const client = await connect(options);
  const all = await repositoriesOf(client);
  const { view: repository } = pick(all, name, 'repository');
  if (options.json) {
    printJson({ success: true, repository });
    return 0;
  }
  const found = archive === undefined ? '' : (await archiveCalled(client, archive, `${repository.id}`)).name;
  const isEncrypted = repository.encryption !== 'none';
  const keyFile = repository.encryption.startsWith('keyfile') && ', and the key file';
  const lines = [
    '# On a machine with Borg, FUSE and access to the repository:',
    isEncrypted && `# Borg asks for the passphrase${keyFile || ''}: see the recovery sheet.`,
    `export BORG_REPO=${word(literal(repository.path))}`,
    repository.remote_path && `export BORG_REMOTE_PATH=${word(literal(repository.remote_path))}`,
    'mkdir -p ~/holdfast-mount',
    `borg mount ${word(`::${literal(found)}`)} ~/holdfast-mount`,
    '# Afterwards; until then, backups of this repository wait:',
    'borg umount ~/holdfast-mount',
  ];
  for (const line of lines) if (line) printWhole(line);
  return 0;
}
