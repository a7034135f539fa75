import { MongoBackend } from '@agendajs/mongo-backend';
import { Agenda } from 'agenda';
import { createExpressMiddleware } from 'agendash';
import express from 'express';
import { MongoClient } from 'mongodb';

const { MONGODB_URI = 'mongodb://127.0.0.1/holdfast', HOST = '127.0.0.1', PORT = '3100' } = process.env;
const client = new MongoClient(MONGODB_URI);
// The database in the address, otherwise the one that Holdfast takes.
const database = new URL(MONGODB_URI).pathname.length > 1 ? client.db() : client.db('holdfast');
const backend = new MongoBackend({ mongo: database, collection: 'holdfast_jobs', ensureIndex: false });
// It is never started, so it takes no jobs from the service.
const agenda = new Agenda({ backend });
await agenda.ready;

const app = express();
app.use((request, response, next) => {
  if (request.method === 'GET') next();
  else response.status(405).json({ error: 'This page only shows. Use the console of Holdfast.' });
});
app.use('/', createExpressMiddleware(agenda));
const server = app.listen(Number(PORT), HOST, () => {
  console.log(`Agendash listens on http://${HOST}:${server.address().port}`);
});
process.once('SIGTERM', () => server.close(() => client.close()));
