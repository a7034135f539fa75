import type { GivenSource } from '@holdfast/contracts';
import { z } from 'zod';
import { type StoredSource, secretsOfSources, withSecrets } from '../../../backup/repositories/index.js';
import type { SettingsNeeds } from '../needs.js';

/** By kind and name of the source, then by field. */
export const sourceSecrets = z.record(z.record(z.string().max(10_000))).optional();

interface Sources {
  sources?: GivenSource[] | undefined;
  source_secrets?: z.infer<typeof sourceSecrets>;
}

/** Nothing when no source has a secret. */
export function sourceSecretsOf(secrets: SettingsNeeds['secrets'], stored: readonly StoredSource[]) {
  const all = secretsOfSources({ secrets }, stored);
  return Object.keys(all).length > 0 ? { source_secrets: all } : {};
}

/** Sources with their secrets when either of them changes. Secrets that are not in the document stay as they are. */
export const givenSources = (changes: Sources, { sources = [], source_secrets }: Sources) =>
  changes.sources === undefined && changes.source_secrets === undefined
    ? {}
    : { sources: withSecrets(sources, source_secrets) };
