import { type Entity, type RowOf, type StorageTransfer, StoreError } from '@holdfast/plugin-api';
import { keep } from './session.js';
import type { Store, Table } from './store.js';
import { written, wrong } from './values.js';

/** Moves of all data into and out of the file. */
export class Transfer implements StorageTransfer {
  constructor(private readonly store: () => Store) {}

  async lastId({ name }: Entity): Promise<number> {
    return (this.store().tables.get(name)?.next ?? 1) - 1;
  }

  load<E extends Entity>(entity: E, rows: readonly RowOf<E>[]): Promise<void> {
    return this.#change(entity, (table) => {
      const full = rows.map((row) =>
        Object.fromEntries(
          Object.keys(entity.columns).map((name) => [name, written(entity, name, (row as Row)[name])]),
        ),
      );
      for (const { id } of full)
        if (table.rows.has(id as number))
          throw new StoreError('unique', `The id ${id} of ${entity.name} is taken.`, { key: 'id' });
      keep(entity, table, full);
      table.next = Math.max(table.next, ...full.map(({ id }) => (id as number) + 1));
    });
  }

  reserveIds(entity: Entity, id: number): Promise<void> {
    return this.#change(entity, (table) => {
      table.next = Math.max(table.next, id + 1);
    });
  }

  #change({ name }: Entity, work: (table: Table) => void): Promise<void> {
    return this.store().write(async (tables) => {
      const table = tables.get(name);
      if (!table) throw wrong(`There is no entity ${name}.`);
      work(table);
    });
  }
}

type Row = Record<string, unknown>;
