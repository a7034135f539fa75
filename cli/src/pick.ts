import type { HoldfastClient, Schemas } from '@holdfast/client';
import { CommandError } from './errors.js';
import { answer } from './service.js';

export interface Candidate {
  kind: 'repository' | 'schedule' | 'archive';
  id: number | string;
  name: string;
  /** Distinguishes it from others of the same name. */
  detail: string;
}

/** The one that is meant by a name, by an id, or by a name in another case. */
export function pick<Item extends Candidate>(all: readonly Item[], wanted: string, what: string): Item {
  const lower = wanted.toLowerCase();
  const ways: ((item: Item) => boolean)[] = [
    ({ name }) => name === wanted,
    ({ id }) => `${id}` === wanted,
    ({ name }) => name.toLowerCase() === lower,
  ];
  const found = ways.map((way) => all.filter(way)).find((some) => some.length > 0) ?? [];
  const [only] = found;
  if (only && found.length === 1) return only;
  throw new CommandError(only ? severalText(found, wanted) : noneText(all, wanted, what));
}

function severalText(found: readonly Candidate[], wanted: string): string {
  const kinds = new Set(found.map(({ kind }) => kind));
  const advice = kinds.has('archive')
    ? 'Add --repository, or use the id.'
    : kinds.size > 1
      ? 'Add --repository or --schedule.'
      : 'Use the id.';
  const choices = found.map(({ kind, id, detail }) => `  ${kind} ${id} (${detail})`);
  return [`"${wanted}" is ambiguous. ${advice}`, ...choices].join('\n');
}

function noneText(all: readonly Candidate[], wanted: string, what: string): string {
  const names = [...new Set(all.map(({ name }) => name))];
  const close = names.filter((name) => isClose(name.toLowerCase(), wanted.toLowerCase())).slice(0, 5);
  const shown = close.length > 0 ? close : names.length <= 10 ? names : [];
  const more = shown.length === 0 ? '' : close.length > 0 ? ' Did you mean:' : ' Available:';
  return [`No ${what} is called "${wanted}".${more}`, ...shown.map((name) => `  ${name}`)].join('\n');
}

function isClose(name: string, wanted: string): boolean {
  if (wanted.length > 2 && (name.includes(wanted) || wanted.includes(name))) return true;
  return distance(name, wanted) <= Math.ceil(wanted.length / 3);
}

/** The number of letters to insert, remove or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at++) {
      const replaced = (row[at] ?? 0) + (letter === other[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

type Repository = Schemas['RepositoryView'];

export const repositoriesOf = async (client: HoldfastClient): Promise<(Candidate & { view: Repository })[]> =>
  (await answer(client.GET('/api/repositories/'))).repositories.map((view) => ({
    kind: 'repository',
    id: view.id,
    name: view.name,
    detail: view.path,
    view,
  }));

export const schedulesOf = async (client: HoldfastClient): Promise<Candidate[]> =>
  (await answer(client.GET('/api/schedule/'))).jobs.map(({ id, name, cron_expression }) => ({
    kind: 'schedule',
    id,
    name,
    detail: cron_expression || 'only manually',
  }));

export const repositoryCalled = async (client: HoldfastClient, name: string): Promise<Repository> =>
  pick(await repositoriesOf(client), name, 'repository').view;

export interface FoundArchive extends Candidate {
  repository: Repository;
  archive: Schemas['ArchiveView'];
}

/** An archive by name or id, of one repository or of all; `latest` is the newest one of a repository. */
export async function archiveCalled(
  client: HoldfastClient,
  wanted: string,
  repository?: string,
): Promise<FoundArchive> {
  const all = (await repositoriesOf(client)).map(({ view }) => view);
  const some = repository === undefined ? all : [await repositoryCalled(client, repository)];
  // A list of all repositories must not start Borg once for each.
  const known_only = repository === undefined;
  const listed = await Promise.all(
    some.map(async (each) => {
      const query = { repository_id: each.id, known_only };
      const { archives } = await answer(client.GET('/api/archives/list', { params: { query } }));
      return archives.map(
        (archive): FoundArchive => ({
          kind: 'archive',
          id: archive.id,
          name: archive.name,
          detail: `of ${each.name}`,
          repository: each,
          archive,
        }),
      );
    }),
  );
  const newest = listed.length === 1 ? listed[0]?.at(-1) : undefined;
  return wanted === 'latest' && newest ? newest : pick(listed.flat(), wanted, 'archive');
}
