import { repositoryChanges, repositoryToImport } from '@holdfast/contracts';
import { z } from 'zod';
import {
  addSecrets,
  findRepository,
  openSecrets,
  type RepositoryRow,
  refuseLoss,
  refuseSourceLoss,
  registerKnownRepository,
  repositoriesUseCases,
  shownSettings,
  shownSources,
  sourceSets,
} from '../../../../backup/repositories/index.js';
import { connectionOf, type Names, namesIn, ownLeftOut, setOf } from '../references.js';
import { only, section, type Writing } from '../section.js';
import { givenSources, sourceSecrets, sourceSecretsOf } from '../source-secrets.js';

const reference = z.string().max(1024).nullable().optional();
const shape = repositoryChanges
  .omit({ connection_id: true, source_connection_id: true, source_set_id: true })
  .required({ name: true, path: true })
  .extend({
    repository_id: z.string().regex(/^[0-9a-f]{64}$/, 'must have 64 hexadecimal digits'),
    encryption: z.enum([
      ...['repokey', 'keyfile', 'repokey-blake2', 'keyfile-blake2', 'none'],
      ...['authenticated', 'authenticated-blake2'],
    ] as [RepositoryRow['encryption'], ...RepositoryRow['encryption'][]]),
    connection: reference,
    source_connection: reference,
    source_set: reference,
    passphrase: z.string().max(65_536).optional(),
    key_file: z.string().max(8_192).optional(),
    source_secrets: sourceSecrets,
  })
  .strict();
type Repository = z.infer<typeof shape>;

/** Registrations, known by the id that the backup tool gave the repository. Nothing is opened here. */
export const repositories = section<Repository>({
  name: 'repositories',
  shape,
  key: ({ repository_id }) => repository_id,
  title: ({ name }) => name,
  secrets: ['passphrase', 'key_file', 'source_secrets'],
  // Its location and connection may differ between installations.
  fixed: ['repository_id', 'path', 'encryption', 'connection'],
  read: async ({ storage, secrets }) => {
    const names = await namesIn(storage);
    return (await ownLeftOut(storage)).map((row) => {
      const { passphrase, keyFile } = openSecrets(secrets, row);
      const sealed = {
        ...(passphrase !== null && { passphrase }),
        ...(keyFile !== null && { key_file: keyFile }),
        ...(row.source_set_id === null && sourceSecretsOf(secrets, row.sources)),
      };
      return { id: row.id, value: { ...settingsIn(row, names), ...sealed } };
    });
  },
  create: async (at, value) => {
    const { repository_id: toolId, encryption, passphrase, key_file, ...rest } = value;
    const input = repositoryToImport.parse({
      ...(await inputOf(at, rest, rest)),
      passphrase,
      keyfile_content: key_file,
    });
    const made = await registerKnownRepository(at.needs, at.needs.recalls, { ...input, toolId, encryption });
    at.announce(made.events);
  },
  change: async (at, { id, value: before }, value, fields) => {
    const { passphrase, key_file, ...changes } = only(value, fields);
    await refuseOtherSources(at, id, changes);
    if (Object.keys(changes).length > 0) {
      const { updateRepository } = repositoriesUseCases(at.needs, { forget: [], recall: at.needs.recalls });
      await updateRepository(id, await inputOf(at, changes, { ...before, ...value }));
    }
    const missing = {
      passphrase: before.passphrase === undefined ? (passphrase ?? null) : null,
      keyFile: before.key_file === undefined ? (key_file ?? null) : null,
    };
    if (missing.passphrase === null && missing.keyFile === null) return;
    await addSecrets(at.needs, await findRepository(at.needs.storage, { repository_id: id }), missing);
  },
});

async function refuseOtherSources(
  at: Writing,
  id: number,
  { source_set, source_directories, sources }: Partial<Repository>,
): Promise<void> {
  const { storage } = at.needs;
  const [set] = source_set ? await storage.find(sourceSets, { where: { name: source_set }, limit: 1 }) : [];
  const after = set?.source_directories ?? source_directories;
  const stored = await findRepository(storage, { repository_id: id });
  const { name: of, source_directories: before } = stored;
  if (after) refuseLoss({ before, after, of }, at.replaceSources);
  refuseSourceLoss({ before: stored.sources, after: set?.sources ?? sources, of }, at.replaceSources);
}

function settingsIn(row: RepositoryRow, names: Names): Repository {
  const nameOf = (known: ReadonlyMap<number, string>, id: number | null) =>
    id === null ? null : (known.get(id) ?? null);
  const settings = Object.fromEntries(
    shownSettings.filter((field) => field !== 'source_set_id').map((field) => [field, row[field]]),
  ) as Partial<Repository>;
  const source_set = nameOf(names.sets, row.source_set_id);
  const { source_directories, exclude_patterns, sources: _, ...others } = settings;
  const own = {
    source_directories,
    exclude_patterns,
    sources: shownSources(row.sources),
    source_connection: nameOf(names.connections, row.source_connection_id),
  };
  return {
    repository_id: row.tool_id,
    name: row.name,
    path: row.path,
    encryption: row.encryption,
    connection: nameOf(names.connections, row.connection_id),
    ...others,
    source_set,
    ...(source_set === null && own),
  };
}

/** `whole`: the repository as it is to be. Sources and their secrets are given together. */
async function inputOf(
  { needs: { storage } }: Writing,
  value: Partial<Repository>,
  whole: Partial<Repository>,
) {
  const { connection, source_connection, source_set, sources, source_secrets, ...rest } = value;
  const ids = {
    connection_id: await connectionOf(storage, connection),
    source_connection_id: await connectionOf(storage, source_connection),
    source_set_id: await setOf(storage, source_set),
  };
  const given = Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined));
  return { ...rest, ...given, ...givenSources({ sources, source_secrets }, whole) };
}
