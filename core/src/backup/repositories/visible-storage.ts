import type {
  Entity,
  Measure,
  Query,
  RowOf,
  StorageBackend,
  StorageSession,
  Where,
} from '@holdfast/plugin-api';
import { wrapSession, wrapStorage } from '../../foundation/kernel/index.js';
import { type Hidden, isHidden, type NeedsOfHidden, ownerColumns, shownRow } from './hidden-repositories.js';

/**
 * The same storage without the rows that belong to something hidden: use cases that read it can neither find nor count
 * them. Writes are not narrowed, because use cases read what they change.
 */
export function visibleStorage(storage: StorageBackend, hiddenNow: HiddenNow): StorageBackend {
  return wrapStorage(storage, {
    ...narrowed(storage, hiddenNow),
    transaction: async (work) => {
      const hidden = await hiddenNow('all');
      return storage.transaction((session) =>
        work(narrowed(session, async () => ({ ...hidden, masks: false }))),
      );
    },
  });
}

type Row = Record<string, unknown>;
type HiddenNow = (needs: NeedsOfHidden) => Promise<Hidden>;

const narrowed = (session: StorageSession, hiddenNow: HiddenNow): StorageSession => {
  /** Null: nothing in this entity is hidden. */
  const hiddenIn = async (entity: Entity) => {
    if (ownerColumns(entity).length === 0) return null;
    const hidden = await hiddenNow('repositories');
    if (hidden.isEmpty) return null;
    return narrowedBy(entity, hidden) === null ? hiddenNow('all') : hidden;
  };
  let last: Hidden | null = null;
  return {
    ...wrapSession(session, (run) => run()),
    async find(entity, query) {
      // Rights rarely change: a page is read while they are, and counts if they are still the same.
      const guess = query?.limit !== undefined && last && narrowedBy(entity, last) !== null ? last : null;
      const guessed = guess && findVisible(session, { entity, query, hidden: guess });
      guessed?.catch(() => undefined);
      const hidden = await hiddenIn(entity);
      if (!hidden) return session.find(entity, query);
      last = narrowedBy(entity, hidden) === null ? last : hidden;
      if (guess && guessed && isSame(guess.only, hidden.only) && isSame(guess.named, hidden.named))
        return guessed;
      return findVisible(session, { entity, query, hidden });
    },
    async aggregate(entity, query) {
      const hidden = await hiddenIn(entity);
      if (!hidden) return session.aggregate(entity, query);
      const where = onlyVisible(entity, query.where, hidden);
      const { groupBy = [], measures } = query;
      const finer = [...new Set([...groupBy, ...ownerColumns(entity)])] as unknown as typeof groupBy;
      const groups =
        where === null ? [] : await session.aggregate(entity, { ...query, where, groupBy: finer });
      const shown = (groups as Row[]).filter((row) => !isHidden(entity, row, hidden));
      return merged(shown, groupBy, measures as Record<string, Measure<never>>) as typeof groups;
    },
  };
};

const isSame = (one: ReadonlySet<number> | null, other: ReadonlySet<number> | null): boolean =>
  one === other || (one?.size === other?.size && [...(one ?? [])].every((id) => other?.has(id)));

async function findVisible<E extends Entity>(
  session: StorageSession,
  { entity, query, hidden }: { entity: E; query: Query<E> | undefined; hidden: Hidden },
): Promise<RowOf<E>[]> {
  const where = onlyVisible(entity, query?.where, hidden);
  if (where === null) return [];
  const page = (part: object) => session.find(entity, { ...query, where, ...part });
  return visibleRows(page, query, (row) => shownRow(entity, row, hidden));
}

const mostNamed = 10_000;

/** The column of the repository, where the query asks only for visible ones: all rows have one then. */
const narrowedBy = ({ name, columns }: Entity, { only }: Hidden): string | null => {
  const column = name === 'repository' ? 'id' : 'repository_id';
  return only !== null && only.size <= mostNamed && Object.hasOwn(columns, column) ? column : null;
};

/**
 * Narrows the query of a limited viewer, who sees few rows of many: rows that are hidden are not even read. Null: nothing
 * is visible.
 */
function onlyVisible<E extends Entity>(
  entity: E,
  where: Where<E> | undefined,
  hidden: Hidden,
): Where<E> | undefined | null {
  const { only } = hidden;
  const column = narrowedBy(entity, hidden);
  if (only === null || column === null) return where;
  const given = (where as Record<string, unknown> | undefined)?.[column];
  if (typeof given === 'number') return only.has(given) ? where : null;
  const named = (given as { in?: readonly number[] } | undefined)?.in;
  if (given !== undefined && !named) return given === null ? null : where;
  return { ...where, [column]: { in: named ? named.filter((id) => only.has(id)) : [...only] } } as Where<E>;
}

/** Reads on until the page is full: a caller takes a short page for the last one. */
async function visibleRows<R>(
  page: (part: { offset?: number; limit?: number }) => Promise<R[]>,
  { limit, offset = 0 }: Pick<Query<Entity>, 'limit' | 'offset'> = {},
  shown: (row: R) => R | null,
): Promise<R[]> {
  const visible = (rows: R[]) => rows.map(shown).filter((row) => row !== null);
  if (limit === undefined && offset === 0) return visible(await page({}));
  const wanted = offset + (limit ?? Number.POSITIVE_INFINITY);
  const size = limit === undefined ? {} : { limit: wanted };
  const all: R[] = [];
  for (let from = 0; ; from += wanted) {
    const rows = await page({ ...size, offset: from });
    all.push(...visible(rows));
    if (rows.length < wanted || all.length >= wanted) return all.slice(offset, wanted);
  }
}

/** Groups again by fewer columns. */
function merged(
  rows: readonly Row[],
  groupBy: readonly string[],
  measures: Record<string, Measure<never>>,
): Row[] {
  const groups = new Map<string, Row>();
  if (groupBy.length === 0) groups.set('[]', emptyRow(measures));
  for (const row of rows) {
    const key = JSON.stringify(groupBy.map((name) => row[name]));
    const group = groups.get(key) ?? {
      ...Object.fromEntries(groupBy.map((name) => [name, row[name]])),
      ...emptyRow(measures),
    };
    groups.set(key, group);
    for (const [name, measure] of Object.entries(measures)) {
      group[name] = joined(measure, group[name] as number | null, row[name] as number | null);
    }
  }
  return [...groups.values()];
}

const emptyRow = (measures: Record<string, Measure<never>>): Row =>
  Object.fromEntries(
    Object.entries(measures).map(([name, measure]) => [name, 'count' in measure ? 0 : null]),
  );

function joined(measure: Measure<never>, one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  if ('max' in measure) return Math.max(one, other);
  return 'min' in measure ? Math.min(one, other) : one + other;
}
