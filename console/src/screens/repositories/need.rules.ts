import type { Schemas } from '../../api/client.js';

type Overview = Schemas['OverviewRepository'];
export type Repository = Schemas['RepositoryView'];
/** A repository of the list; without `about` while its settings are still being read. */
export interface Row extends Overview {
  about: Repository | undefined;
}

/** Most urgent first, then by name. */
export function byNeed(
  overview: readonly Overview[],
  repositories: readonly Repository[],
  compare: (one: string, other: string) => number = (one, other) => one.localeCompare(other),
): Row[] {
  const known = new Map(repositories.map((repository) => [repository.id, repository]));
  return overview
    .map((row) => ({ ...row, about: known.get(row.id) }))
    .sort((one, other) => need(one) - need(other) || compare(one.name, other.name));
}

export const need = ({ damaged, status, about }: Row): number =>
  damaged ? 0 : about?.open_error ? 1 : { late: 2, unknown: 3, protected: 4 }[status];
