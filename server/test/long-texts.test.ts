import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { sendLongTexts } from '../src/http/middleware/long-texts.js';

test.each(['GET', 'HEAD'])('sends a long answer to %s like Express', async (method) => {
  const body = { short: 'ü', long: 'ä日🎉x'.repeat(20_000) };
  const plain = express();
  const ours = express();
  sendLongTexts(ours);
  const answers = [];
  for (const app of [plain, ours]) {
    app.set('etag', false);
    app.get('/', (_req, res) => void res.status(200).json(body));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method });
    const { date, ...headers } = Object.fromEntries(answer.headers);
    answers.push({ status: answer.status, headers, text: await answer.text() });
    server.close();
    server.closeAllConnections();
  }
  expect(answers[1]).toEqual(answers[0]);
  if (method === 'GET') expect(JSON.parse(answers[1]?.text ?? '')).toEqual(body);
});
