import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { day, indexed } from './indexed-files.mjs';

/**
 * Archives up to that number, written as the index does, but without their listings: to read a million entries for
 * each takes half an hour. In each one file in a hundred differs, and one in two thousand is gone.
 */
export async function addFurther(dataDirectory, { from, to }) {
  const database = new sqlite3.Database(join(dataDirectory, 'index', `${indexed}.sqlite`));
  const run = (sql, values = []) =>
    new Promise((resolve, reject) => {
      database.run(sql, values, (error) => (error ? reject(error) : resolve()));
    });
  await run('PRAGMA cache_size = -200000');
  await run('CREATE TEMP TABLE differs (path INTEGER PRIMARY KEY)');
  for (let number = from; number <= to; number++) {
    await run('BEGIN IMMEDIATE');
    const place = 16_384 + number;
    const which = (share) => `(path * 2654435761 + ${number} * 40503) % 65521 % ${share} = 0`;
    await run('DELETE FROM differs');
    await run(`INSERT INTO differs SELECT path FROM version WHERE last = 1 AND type = 1 AND ${which(2000)}`);
    await run('UPDATE version SET last = ? WHERE last = 1 AND path IN (SELECT path FROM differs)', [
      place - 1,
    ]);
    await run('DELETE FROM differs');
    await run(`INSERT INTO differs SELECT path FROM version WHERE last = 1 AND type = 1 AND ${which(100)}`);
    await run('UPDATE version SET last = ? WHERE last = 1 AND path IN (SELECT path FROM differs)', [
      place - 1,
    ]);
    await run(
      `INSERT INTO version SELECT path, series, ?1, 1, type, size + 1, mtime + 1000, extras FROM version
        WHERE last = ?1 - 1 AND path IN (SELECT path FROM differs)`,
      [place],
    );
    await run(
      'INSERT INTO archive SELECT ?, series, ?, ?, entries, files, NULL FROM archive WHERE place = 16384',
      [`archive-${number}`, place, number * day],
    );
    await run('COMMIT');
  }
  await run('PRAGMA wal_checkpoint(TRUNCATE)');
  await new Promise((resolve) => database.close(resolve));
}
