import type { Schemas } from '../../api/client.js';
import { stateOf } from '../../ui/state.js';

type Repository = Schemas['OverviewRepository'];

/** Up to this number, each has a row. */
export const mostRows = 12;

const order = ['damaged', 'late', 'unknown', 'protected'];

/** By host, this machine first; within a host, the worst state first, then by name. */
export function byHost(
  repositories: readonly Repository[],
  text: string,
): [host: string | null, Repository[]][] {
  const wanted = text.trim().toLocaleLowerCase();
  const groups = new Map<string | null, Repository[]>();
  for (const each of [...repositories].sort(compare)) {
    if (!`${each.name} ${each.host ?? ''}`.toLocaleLowerCase().includes(wanted)) continue;
    groups.set(each.host, [...(groups.get(each.host) ?? []), each]);
  }
  return [...groups];
}

const compare = (one: Repository, other: Repository): number =>
  (one.host ?? '').localeCompare(other.host ?? '') ||
  order.indexOf(stateOf(one)) - order.indexOf(stateOf(other)) ||
  one.name.localeCompare(other.name, undefined, { numeric: true });

const provenForMs = 90 * 86_400_000;

/** How many were restored and compared within 90 days. */
export const countProven = (repositories: readonly Repository[], now: number): number =>
  repositories.filter(({ last_verified_restore: at }) => at !== null && now - Date.parse(at) <= provenForMs)
    .length;
