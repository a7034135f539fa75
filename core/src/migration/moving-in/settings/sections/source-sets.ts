import { newSourceSet, sourceSetChanges } from '@holdfast/contracts';
import { z } from 'zod';
import {
  refuseLoss,
  refuseSourceLoss,
  repositoriesUseCases,
  shownSources,
  sourceSets as table,
} from '../../../../backup/repositories/index.js';
import { connectionOf, namesIn } from '../references.js';
import { only, section, type Writing } from '../section.js';
import { givenSources, sourceSecrets, sourceSecretsOf } from '../source-secrets.js';

const shape = sourceSetChanges
  .omit({ source_connection_id: true })
  .required({ name: true, source_directories: true })
  .extend({ source_connection: z.string().nullable().optional(), source_secrets: sourceSecrets })
  .strict();
type SourceSet = z.infer<typeof shape>;

export const sourceSets = section<SourceSet>({
  name: 'source_sets',
  shape,
  key: ({ name }) => name,
  title: ({ name }) => name,
  secrets: ['source_secrets'],
  fixed: ['name'],
  read: async ({ storage, secrets }) => {
    const names = await namesIn(storage);
    return (await storage.find(table)).map(({ id, name, allow_parallel, ...row }) => {
      const { source_directories, exclude_patterns, source_connection_id: from } = row;
      const source_connection = from === null ? null : (names.connections.get(from) ?? null);
      const value = {
        name,
        source_directories,
        exclude_patterns,
        sources: shownSources(row.sources),
        ...sourceSecretsOf(secrets, row.sources),
        source_connection,
        allow_parallel,
      };
      return { id, value };
    });
  },
  create: async (at, value) => {
    const input = newSourceSet.parse(await inputOf(at, value, value));
    await useCases(at).createSourceSet(input);
  },
  change: async (at, { id, value: before }, value, fields) => {
    const { name: of, source_directories, sources } = value;
    refuseLoss({ before: before.source_directories, after: source_directories, of }, at.replaceSources);
    refuseSourceLoss({ before: before.sources ?? [], after: sources, of }, at.replaceSources);
    await useCases(at).updateSourceSet(id, await inputOf(at, only(value, fields), { ...before, ...value }));
  },
});

const useCases = ({ needs }: Writing) => repositoriesUseCases(needs, { forget: [], recall: needs.recalls });

async function inputOf(
  { needs }: Writing,
  { source_connection, sources, source_secrets, ...value }: Partial<SourceSet>,
  whole: Partial<SourceSet>,
) {
  const source_connection_id = await connectionOf(needs.storage, source_connection);
  return {
    ...value,
    ...givenSources({ sources, source_secrets }, whole),
    ...(source_connection_id !== undefined && { source_connection_id }),
  };
}
