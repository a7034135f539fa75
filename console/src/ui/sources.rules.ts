import type { Schemas } from '../api/client.js';

export type Source = Schemas['RepositoryView']['sources'][number];

/** What the server shows of a secret; sent back like this, the secret stays. It belongs to the kind and the name. */
const masked = '***';
export const hasStoredSecret = ({ settings }: Source): boolean => Object.values(settings).includes(masked);

/** Names are unique among those of a kind. */
export const isTaken = ({ kind, name }: Source, others: readonly Source[]): boolean =>
  others.some((other) => other.kind === kind && other.name === name.trim());

/** Names of containers among what was found on a host. */
export const containersIn = (found: readonly Source[]): string[] =>
  [
    ...new Set(found.map(({ kind, name, container }) => container ?? (kind === 'container' ? name : ''))),
  ].filter(Boolean);
