import type { Column, SchemaChange, SchemaVersion } from '@holdfast/plugin-api';
import {
  type IndexesOptions,
  literal,
  type ModelAttributeColumnOptions,
  type QueryInterface,
} from 'sequelize';
import type { Executor, SqlDialect } from './dialect.js';
import { indexName, quote } from './table.js';

interface Index {
  table: string;
  columns: readonly string[];
  unique: boolean;
}

/** What is there of a table: the names of its indexes and its text columns. */
interface KnownTable {
  names: Set<string>;
  texts: readonly string[];
}

/**
 * Makes the changes of one version. What is there already is left alone. Where each change is committed by itself, those
 * that were made are undone when one fails; drops come last, as nothing brings back what they take.
 */
export async function applyChanges(
  executor: Executor,
  dialect: SqlDialect,
  changes: readonly SchemaChange[],
): Promise<void> {
  const work = new SchemaChanges(executor, dialect);
  if (!dialect.commitsSchemaChanges) {
    for (const change of changes) await apply(work, change);
    return;
  }
  const isDrop = ({ kind }: SchemaChange) => kind === 'drop-entity' || kind === 'drop-column';
  try {
    for (const change of changes) if (!isDrop(change)) await apply(work, change);
  } catch (error) {
    for (const takeBack of work.undo.reverse()) await takeBack().catch(() => undefined);
    throw error;
  }
  for (const change of changes) if (isDrop(change)) await apply(work, change);
}

function apply(changes: SchemaChanges, change: SchemaChange): Promise<void> {
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

/** The tables that the newest of these versions has. */
export function tablesOf(versions: readonly SchemaVersion[]): string[] {
  const tables = new Set<string>();
  for (const change of versions.flatMap(({ changes }) => changes)) {
    if (change.kind === 'create-entity') tables.add(change.entity.name);
    if (change.kind === 'drop-entity') tables.delete(change.entity);
  }
  return [...tables];
}

class SchemaChanges {
  private readonly tables: QueryInterface;
  /** Takes back what was made, in the order of making. */
  readonly undo: (() => Promise<unknown>)[] = [];

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
    this.undo.push(() => this.dropEntity(name));
    // Asking the database about each would take most of the time of a first start.
    const isText = (column: string) => ['text', 'json'].includes(columns[column]?.type ?? '');
    const known = { names: new Set<string>(), texts: Object.keys(columns).filter(isText) };
    for (const key of unique) await this.addIndex({ table: name, columns: key, unique: true }, known);
    for (const key of indexes) await this.addIndex({ table: name, columns: key, unique: false }, known);
  }

  async dropEntity(name: string) {
    await this.tables.dropTable(name, this.options);
  }

  async addColumn(table: string, column: string, definition: Column) {
    if (column in (await this.describe(table))) return;
    await this.tables.addColumn(table, column, this.attribute(definition), this.options);
    this.undo.push(() => this.dropColumn(table, column));
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

  async addIndex({ table, columns, unique }: Index, known?: KnownTable) {
    const { names, texts } = known ?? (await this.lookUp(table));
    const add = async (name: string, index: IndexesOptions & Required<Pick<IndexesOptions, 'fields'>>) => {
      if (names.has(name)) return;
      await this.tables.addIndex(table, { ...index, name, ...this.options });
      this.undo.push(() => this.tables.removeIndex(table, name, this.options));
      names.add(name);
    };
    // Those that can't stand in a unique index as they are.
    const long = unique && this.dialect.uniqueText ? columns.filter((column) => texts.includes(column)) : [];
    const fields = columns.map((column) => {
      if (long.includes(column)) return this.uniqueTerm(column);
      return !unique && texts.includes(column) ? this.beginning(column) : column;
    });
    await add(indexName(table, columns, unique), { fields, unique });
    for (const column of long) await add(`${table}_${column}_hash`, { fields: [column], using: 'HASH' });
  }

  private async lookUp(table: string): Promise<KnownTable> {
    const columns = Object.entries(await this.describe(table));
    return {
      names: new Set((await this.indexesOf(table)).map(({ name }) => name)),
      texts: columns.flatMap(([name, { type }]) => (type.endsWith('TEXT') ? name : [])),
    };
  }

  /** What stands for a text in an index that is not unique. */
  private beginning(name: string) {
    const { indexedText: length } = this.dialect;
    return length === undefined ? name : { name, length };
  }

  private uniqueTerm(column: string) {
    const { uniqueText = (quoted) => quoted } = this.dialect;
    return literal(uniqueText(quote(column)));
  }

  private attribute({ type, nullable, default: value }: Column): ModelAttributeColumnOptions {
    const made = type === 'id' ? { primaryKey: true, autoIncrement: true, autoIncrementIdentity: true } : {};
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
