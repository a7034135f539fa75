import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Finding } from '@holdfast/plugin-api';
import type { SqlDialect } from '@holdfast/storage-sequelize';
import { openReader, type SqliteWaits } from './sqlite-connections.js';

const mebibyte = 1 << 20;
/** Less is soon full; still less fails a job's next write. */
const littleSpace = 1024 * mebibyte;
const noSpace = 50 * mebibyte;

type Look = Awaited<ReturnType<NonNullable<SqlDialect['look']>>>;

/** What is there, without making a file, a folder or a log. */
export async function lookAtSqlite(file: string, waits: SqliteWaits): Promise<Look> {
  const folder = dirname(file);
  const facts = await stat(file).catch(ignoreMissing);
  if (!facts) return { connections: null, findings: await spaceIn(folder) };
  const findings = [...(await rightsOf(file, facts.mode)), ...(await spaceIn(folder))];
  const reader = await openReader(file, waits);
  const refuse = () => Promise.reject(new Error('The database is open for reading only.'));
  const close = () => reader.sequelize.close();
  return { connections: { reader, write: refuse, transaction: refuse, close }, findings };
}

async function rightsOf(file: string, mode: number): Promise<Finding[]> {
  // The log of a database is made beside it.
  for (const path of [file, dirname(file)]) {
    const refusal = await access(path, constants.R_OK | constants.W_OK).catch((error: Error) => error);
    if (!refusal) continue;
    const advice = 'Run this as the service user, or make that user its owner.';
    return [{ status: 'failed', text: `${path} can't be written to.`, advice }];
  }
  if ((mode & 0o077) === 0) return [{ status: 'ok', text: `${file} can be written, by its owner alone.` }];
  const advice = `chmod 600 ${file}; the next start does it as well.`;
  return [{ status: 'warning', text: `${file} can be read by others.`, advice }];
}

async function spaceIn(folder: string): Promise<Finding[]> {
  const space = await statfs(folder).catch(ignoreMissing);
  if (!space) return [];
  const free = space.bavail * space.bsize;
  const text = `${Math.floor(free / mebibyte)} MiB are free for the database.`;
  if (free >= littleSpace) return [{ status: 'ok', text }];
  const advice = `Free some space on the file system of ${folder}.`;
  return [{ status: free >= noSpace ? 'warning' : 'failed', text, advice }];
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
