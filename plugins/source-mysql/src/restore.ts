import {
  type CommandHost,
  outputOf,
  type SourceSettings,
  type StoredDump,
} from '@holdfast/plugin-api/source';
import { command, nameOf, query, textOf } from './client.js';

const ofServer = '(SELECT count(*) FROM information_schema.tables WHERE table_schema';

/** A database can't be renamed, so the dump is read twice: only one that can be read replaces anything. */
export async function restore(
  host: CommandHost,
  settings: SourceSettings,
  { dump, into, replace }: { dump: StoredDump; into: string; replace: boolean },
): Promise<{ text: string }> {
  const exists = await query(
    host,
    settings,
    `SHOW DATABASES LIKE ${textOf(into.replaceAll(/[%_\\]/g, '\\$&'))}`,
  );
  if (!replace && exists.length > 0) throw new Error(`There is a database ${into}: choose another name.`);
  const fresh = `${into.slice(0, 40)}_holdfast_new`;
  await query(host, settings, `DROP DATABASE IF EXISTS ${nameOf(fresh)}; CREATE DATABASE ${nameOf(fresh)}`);
  const load = (database: string) =>
    outputOf(
      host,
      command(settings, 'client', {
        argv: ['--default-character-set=utf8mb4', `--database=${database}`],
        input: dump.open(),
      }),
      `${into} was not restored`,
    );
  try {
    // Into another database first: a dump that can't be read must not destroy the existing one.
    await load(fresh);
  } finally {
    await query(host, settings, `DROP DATABASE IF EXISTS ${nameOf(fresh)}`);
  }
  await query(host, settings, `DROP DATABASE IF EXISTS ${nameOf(into)}; CREATE DATABASE ${nameOf(into)}`);
  await load(into);
  const [tables] = await query(host, settings, `SELECT ${ofServer} = ${textOf(into)})`);
  return { text: `Database ${into} was restored (${tables} tables).` };
}
