import { expect, test } from 'vitest';
import type { Exchange } from '../api.js';
import { ExchangeLog } from './exchange-log.js';
import { leaksIn } from './scan.js';
import { SecretBook } from './secret-book.js';

interface Told {
  method?: string;
  path: string;
  token?: string | null;
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

function exchange({
  method = 'GET',
  path,
  token = null,
  status = 200,
  headers = {},
  body = {},
}: Told): Exchange {
  const bytes = Buffer.from(JSON.stringify(body));
  const answer = { status, headers, bytes, text: bytes.toString(), body } as Exchange['answer'];
  return { method, url: new URL(path, 'http://127.0.0.1:1'), token, answer };
}

const token = 'hf_0123456789abcdefghij';
const login = { method: 'POST', path: '/api/auth/login', body: { access_token: token } };

function leaksOf(exchanges: Told[], fill: (book: SecretBook, log: ExchangeLog) => void = () => {}): string[] {
  const book = new SecretBook();
  const log = new ExchangeLog(book);
  fill(book, log);
  for (const one of exchanges) log.add(exchange(one));
  return leaksIn(log.materials(), book).map(({ channel, place }) => `${channel}: ${place}`);
}

test('allows a token only in the response that its contract names', () => {
  expect(leaksOf([login])).toEqual([]);
  expect(leaksOf([{ path: '/api/auth/me', body: { is: token } }, login])).toEqual([
    'answers: GET /api/auth/me: 200',
  ]);
  expect(leaksOf([login, { ...login, status: 401 }])).toEqual(['answers: POST /api/auth/login: 401']);
  const inHeader = { path: '/api/backup/jobs', headers: { 'x-last': token } };
  expect(leaksOf([login, inHeader])).toEqual(['answers: GET /api/backup/jobs: 200']);
});

test('allows a service URL for administrators in responses about its channel', () => {
  const secret = 'a-secret-of-a-webhook';
  const shown = { path: '/api/notifications', body: [{ service_url: `json://x:${secret}@host` }] };
  const fill = (book: SecretBook, log: ExchangeLog) => {
    book.keep('a webhook', secret, 'service_url');
    log.administrator('admin');
  };
  expect(leaksOf([{ ...shown, token: 'admin' }], fill)).toEqual([]);
  expect(leaksOf([{ ...shown, token: 'user' }], fill)).toHaveLength(1);
  expect(leaksOf([shown], fill)).toHaveLength(1);
  expect(leaksOf([{ ...shown, token: 'admin', path: '/api/notifications/1/deliveries' }], fill)).toHaveLength(
    1,
  );
});

test.each([
  ['/metrics', 'metrics'],
  ['/api/backup/logs/1/stream', 'job logs'],
  ['/api/repositories/check-jobs/1/logs/download', 'job logs'],
  ['/api/repositories/1', 'answers'],
])('%s counts as %s', (path, channel) => {
  const found = leaksOf([{ path, body: 'a passphrase of tests' }], (book) => {
    book.keep('it', 'a passphrase of tests');
  });
  expect(found).toEqual([expect.stringMatching(new RegExp(`^${channel}: `))]);
});

test('counts a route as reached after a request passed authentication', () => {
  const log = new ExchangeLog(new SecretBook());
  expect(log.unreached()).toContain('GET /api/auth/me');
  log.add(exchange({ path: '/api/auth/me', status: 401 }));
  expect(log.unreached()).toContain('GET /api/auth/me');
  log.add(exchange({ path: '/api/auth/me' }));
  expect(log.unreached()).not.toContain('GET /api/auth/me');
  log.add(exchange({ path: '/api/repositories/check-jobs/1' }));
  expect(log.unreached()).not.toContain('GET /api/repositories/check-jobs/:job_id');
  expect(log.unreached()).toContain('GET /api/repositories/:repo_id');
});
