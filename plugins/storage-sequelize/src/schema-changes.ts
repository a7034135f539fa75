import type { Column, SchemaChange } from '@holdfast/core/plugin';
import type { ModelAttributeColumnOptions, QueryInterface } from 'sequelize';
import type { Executor, SqlDialect } from './dialect.js';
import { quote } from './table.js';

interface Index {
  table: string;
  columns: readonly string[];
  unique: boolean;
}

/**
 * Makes one change. What is there already is left alone: an entity is created with all the columns that it has
 * today, so on a new database later versions find theirs done.
 */
export function applyChange(executor: Executor, dialect: SqlDialect, change: SchemaChange): Promise<void> {
  const changes = new SchemaChanges(executor, dialect);
  switch (change.kind) {
    case 'create-entity':
      return changes.createEntity(change.entity);
    case 'drop-entity':
      return changes.dropEntity(change.entity);
    case 'add-column':
      return changes.addColumn(change.entity, change.column, change.definition);
    case 'drop-column':
      return changes.dropColumn(change.entity, change.column);
    case 'add-index':
      return changes.addIndex({ table: change.entity, columns: change.columns, unique: change.unique });
  }
}

class SchemaChanges {
  private readonly tables: QueryInterface;

  constructor(
    private readonly executor: Executor,
    private readonly dialect: SqlDialect,
  ) {
    this.tables = executor.sequelize.getQueryInterface();
  }

  async createEntity({
    name,
    columns,
    unique,
    indexes,
  }: Extract<SchemaChange, { kind: 'create-entity' }>['entity']) {
    if (await this.tables.tableExists(name, this.options)) return;
    const attributes = Object.entries(columns).map(([column, definition]) => [
      column,
      this.attribute(definition),
    ]);
    await this.tables.createTable(name, Object.fromEntries(attributes), this.options);
    for (const key of unique) await this.addIndex({ table: name, columns: key, unique: true });
    for (const key of indexes) await this.addIndex({ table: name, columns: key, unique: false });
  }

  async dropEntity(name: string) {
    await this.tables.dropTable(name, this.options);
  }

  async addColumn(table: string, column: string, definition: Column) {
    if (column in (await this.describe(table))) return;
    await this.tables.addColumn(table, column, this.attribute(definition), this.options);
  }

  async dropColumn(table: string, column: string) {
    if (!(column in (await this.describe(table)))) return;
    for (const index of await this.indexesOf(table)) {
      if (index.columns.includes(column)) await this.tables.removeIndex(table, index.name, this.options);
    }
    // The query interface would copy the whole table on SQLite and lose its keys.
    const sql = `ALTER TABLE ${quote(table)} DROP COLUMN ${quote(column)}`;
    await this.executor.sequelize.query(sql, this.options);
  }

  async addIndex({ table, columns, unique }: Index) {
    const name = `${table}_${columns.join('_')}_${unique ? 'key' : 'idx'}`;
    if ((await this.indexesOf(table)).some((index) => index.name === name)) return;
    await this.tables.addIndex(table, { fields: [...columns], unique, name, ...this.options });
  }

  private attribute({ type, nullable, default: value }: Column): ModelAttributeColumnOptions {
    const made = type === 'id' ? { primaryKey: true, autoIncrement: true } : {};
    const defaultValue = type === 'json' && value !== undefined ? JSON.stringify(value) : value;
    return { type: this.dialect.columnTypes[type], allowNull: nullable, defaultValue, ...made };
  }

  private describe(table: string) {
    // Its declaration leaves out the transaction, which it passes on like the others.
    return this.tables.describeTable(table, this.options as object);
  }

  private async indexesOf(table: string): Promise<{ name: string; columns: string[] }[]> {
    const indexes = (await this.tables.showIndex(table, this.options)) as {
      name: string;
      fields: { attribute: string }[];
    }[];
    return indexes.map(({ name, fields }) => ({ name, columns: fields.map(({ attribute }) => attribute) }));
  }

  private get options() {
    return { transaction: this.executor.transaction };
  }
}
