import express from 'express';

/** The minimum that express does for the answers that the parent process sends: the baseline. */
process.once('message', (answers) => {
  const app = express();
  app.set('etag', false);
  for (const [path, body] of Object.entries(answers)) app.get(path, (_req, res) => res.json(body));
  const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
