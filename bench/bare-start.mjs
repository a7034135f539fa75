/** What every service of this kind needs to start: its libraries, and the same database file. */
import express from 'express';
import { Sequelize } from 'sequelize';
import sqlite3 from 'sqlite3';

const [storage] = process.argv.slice(2);
const database = new Sequelize({ dialect: 'sqlite', dialectModule: sqlite3, storage, logging: false });
await database.query('SELECT 1');
const app = express();
app.get('/health', (_, res) => res.json({ status: 'healthy' }));
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${server.address().port}`);
});
