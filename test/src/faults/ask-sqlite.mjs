/** `node ask-sqlite.mjs FILE SQL`: the rows as JSON. A program of its own, as it may have to see other mounts. */
import sqlite3 from 'sqlite3';

const [, , file, sql] = process.argv;
const database = new sqlite3.Database(file, sqlite3.OPEN_READWRITE);
database.configure('busyTimeout', 10_000);
database.all(sql, (error, rows) => {
  if (error) throw error;
  process.stdout.write(JSON.stringify(rows));
});
