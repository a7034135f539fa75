import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { httpHeartbeat } from '../src/adapters/http-heartbeat.js';
import { makeRedactor } from '../src/adapters/redactor.js';
import { secretsOfMonitor } from '../src/adapters/secret-uri.js';

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

async function monitor(answer: Answer) {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (part) => {
      body += part;
    });
    req.on('end', () => {
      asked.push(`${req.method} ${req.url} ${req.headers.authorization ?? ''} ${body}`.trim());
      answer(req, res);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}
const ok: Answer = (_, res) => res.end('OK');

test('asks the address, or its /fail with the reason', async () => {
  const { asked, host } = await monitor(ok);
  const heartbeat = httpHeartbeat(`http://me:p%40ss@${host}/ping/some-name/?source=a`);
  await heartbeat.beat(null);
  await heartbeat.beat('One is late.');
  const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  expect(asked).toEqual([
    `GET /ping/some-name/?source=a ${basic}`,
    `POST /ping/some-name/fail?source=a ${basic} One is late.`,
  ]);
});

test('follows a limited number of redirects of the same host only', async () => {
  const { asked: others, host: other } = await monitor(ok);
  const { asked, host } = await monitor((req, res) => {
    const to = { '/a': '/b', '/away': `http://${other}/secret`, '/loop': '/loop' }[req.url ?? ''];
    if (to) res.writeHead(302, { location: to });
    res.end();
  });
  await httpHeartbeat(`http://${host}/a`).beat(null);
  expect(asked).toEqual(['GET /a', 'GET /b']);
  await expect(httpHeartbeat(`http://${host}/away`).beat(null)).rejects.toThrow(
    'it redirects to another host',
  );
  await expect(httpHeartbeat(`http://${host}/loop`).beat(null)).rejects.toThrow('it redirects too often');
  expect(others).toEqual([]);
});

test('says why it failed, without the address', async () => {
  const { host } = await monitor((_, res) => res.writeHead(404).end());
  const failure = (address: string) => httpHeartbeat(address).beat(null).catch(String);
  expect(await failure(`http://${host}/secret`)).toBe('Error: it responded with status 404');
  expect(await failure('http://127.0.0.1:1/secret')).toMatch(/^Error: the connection failed/);
});

test('masks the address and its secrets everywhere', () => {
  const address =
    'https://me:pass%20word@monitor.example.org/ping/0b8cf1b6-6f5f-4d1c-a8c5/x?key=abcdefghijklmnopq';
  const redactor = makeRedactor();
  for (const secret of secretsOfMonitor(address)) redactor.protect(secret);
  const shown = redactor.redact(
    `${address} https://monitor.example.org/ping/0b8cf1b6-6f5f-4d1c-a8c5/fail?key=abcdefghijklmnopq pass word`,
  );
  expect(shown).not.toMatch(/0b8cf1b6|abcdefgh|pass/);
  expect(secretsOfMonitor(undefined)).toEqual([]);
});
