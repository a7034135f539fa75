import { Sequelize } from '@holdfast/storage-sequelize';
import * as mariadb from 'mariadb';
import plugin from '../src/index.js';

/** A server on which a user may create databases. */
const serverUrl = process.env.TEST_MARIADB_URL;
if (!serverUrl)
  throw new Error('Set TEST_MARIADB_URL to mariadb://user:password@host:port of a server for tests.');

const databases = new Set();

/** Runs one statement outside all databases. */
async function onServer(sql) {
  const server = new Sequelize(serverUrl, { dialect: 'mariadb', dialectModule: mariadb, logging: false });
  try {
    return await server.query(sql);
  } finally {
    await server.close();
  }
}

/** The plugin, created and started as the host does it, on the database with this name. */
export async function openDatabase(name, start) {
  if (!databases.has(name)) await onServer(`CREATE DATABASE IF NOT EXISTS ${name}`);
  databases.add(name);
  const configuration = plugin.configuration.parse({ url: `${serverUrl}/${name}` });
  const storage = await plugin.create({ configuration });
  await storage.start(start);
  return { storage, close: () => storage.stop() };
}

export async function dropDatabases() {
  for (const name of databases) await onServer(`DROP DATABASE ${name}`);
}
