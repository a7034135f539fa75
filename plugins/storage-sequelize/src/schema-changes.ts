import type { Column, Entity, SchemaChange, SchemaVersion } from '@holdfast/plugin-api';
import { type IndexesOptions, literal, type ModelAttributeColumnOptions } from 'sequelize';
import type { Executor, SqlDialect } from './dialect.js';
import { quote } from './statement.js';

type Index = Omit<Extract<SchemaChange, { kind: 'add-index' }>, 'kind'>;

/** What is there of a table: the names of its indexes and its text columns. */
interface KnownTable {
  names: string[];
  texts: readonly string[];
}

const isDrop = ({ kind }: SchemaChange) => kind === 'drop-entity' || kind === 'drop-column';

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
    for (const change of changes) await work.apply(change);
    return;
  }
  try {
    for (const change of changes) if (!isDrop(change)) await work.apply(change);
  } catch (error) {
    for (const takeBack of work.undo.reverse()) await takeBack().catch(() => undefined);
    throw error;
  }
  for (const change of changes) if (isDrop(change)) await work.apply(change);
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

/** Databases cut longer names, PostgreSQL at 63 bytes. */
export function indexName(table: string, columns: readonly string[], unique: boolean): string {
  return `${table}_${columns.join('_')}_${unique ? 'key' : 'idx'}`.slice(0, 63);
}

class SchemaChanges {
  private readonly tables;
  private readonly options;
  /** Takes back what was made, in the order of making. */
  readonly undo: (() => Promise<unknown>)[] = [];

  constructor(
    private readonly executor: Executor,
    private readonly dialect: SqlDialect,
  ) {
    this.tables = executor.sequelize.getQueryInterface();
    this.options = { transaction: executor.transaction };
  }

  async apply(change: SchemaChange): Promise<unknown> {
    switch (change.kind) {
      case 'create-entity':
        return this.createEntity(change.entity);
      case 'drop-entity':
        return this.tables.dropTable(change.entity, this.options);
      case 'add-column':
        return this.addColumn(change.entity, change.column, change.definition);
      case 'drop-column':
        return this.dropColumn(change.entity, change.column);
      case 'add-index':
        return this.addIndex(change, await this.lookUp(change.entity));
    }
  }

  private async createEntity({ name, columns, unique, indexes }: Entity) {
    if (await this.tables.tableExists(name, this.options)) return;
    const all = Object.entries(columns);
    const attributes = all.map(([column, definition]) => [column, this.attribute(definition)]);
    await this.tables.createTable(name, Object.fromEntries(attributes), this.options);
    this.undo.push(() => this.tables.dropTable(name, this.options));
    // Asking the database about each would take most of the time of a first start.
    const texts = all.flatMap(([column, { type }]) => (type === 'text' || type === 'json' ? column : []));
    const known = { names: [], texts };
    for (const key of unique) await this.addIndex({ entity: name, columns: key, unique: true }, known);
    for (const key of indexes) await this.addIndex({ entity: name, columns: key, unique: false }, known);
  }

  private async addColumn(table: string, column: string, definition: Column) {
    if (column in (await this.describe(table))) return;
    await this.tables.addColumn(table, column, this.attribute(definition), this.options);
    this.undo.push(() => this.dropColumn(table, column));
  }

  private async dropColumn(table: string, column: string) {
    if (!(column in (await this.describe(table)))) return;
    for (const { name, fields } of await this.indexesOf(table)) {
      const isOfColumn = fields.some(({ attribute }) => attribute === column);
      if (isOfColumn) await this.tables.removeIndex(table, name, this.options);
    }
    // The query interface would copy the whole table on SQLite and lose its keys.
    const sql = `ALTER TABLE ${quote(table)} DROP COLUMN ${quote(column)}`;
    await this.executor.sequelize.query(sql, this.options);
  }

  private async addIndex({ entity: table, columns, unique }: Index, { names, texts }: KnownTable) {
    const { uniqueText, indexedText: length } = this.dialect;
    const add = async (name: string, index: IndexesOptions & { fields: string[] }) => {
      if (names.includes(name)) return;
      await this.tables.addIndex(table, { ...index, name, ...this.options });
      this.undo.push(() => this.tables.removeIndex(table, name, this.options));
      names.push(name);
    };
    const fields = columns.map((name) => {
      if (!texts.includes(name)) return name;
      if (unique) return uniqueText ? literal(uniqueText(quote(name))) : name;
      return length === undefined ? name : { name, length };
    });
    await add(indexName(table, columns, unique), { fields: fields as string[], unique });
    if (!unique || !uniqueText) return;
    for (const column of columns.filter((name) => texts.includes(name)))
      await add(`${table}_${column}_hash`, { fields: [column], using: 'HASH' });
  }

  private async lookUp(table: string): Promise<KnownTable> {
    const columns = Object.entries(await this.describe(table));
    return {
      names: (await this.indexesOf(table)).map(({ name }) => name),
      texts: columns.flatMap(([name, { type }]) => (type.endsWith('TEXT') ? name : [])),
    };
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

  private async indexesOf(table: string) {
    const indexes = await this.tables.showIndex(table, this.options);
    return indexes as { name: string; fields: { attribute: string }[] }[];
  }
}
