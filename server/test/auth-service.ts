import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authContract, failures, type RouteMetadata } from '@holdfast/contracts';
import { authUseCases, type SignIn, type SignInRules } from '@holdfast/core/server';
import { hash, verify } from '@node-rs/argon2';
import { initContract } from '@ts-rest/core';
import { createExpressEndpoints, initServer } from '@ts-rest/express';
import express from 'express';
import { z } from 'zod';
import { passkeyTool } from '../src/adapters/passkey-tool.js';
import { makeRedactor } from '../src/adapters/redactor.js';
import { makeSecretBox } from '../src/adapters/secret-box.js';
import { errorHandler } from '../src/http/errors/errors.js';
import { readBody } from '../src/http/middleware/body.js';
import { requestId } from '../src/http/middleware/request-id.js';
import { authRouter } from '../src/http/routers/accounts.router.js';
import { ok } from '../src/http/routers/reply.js';
import { accessGuard, callerOf } from '../src/http/sign-in/auth.js';
import { sqliteIn } from './sqlite-in.js';

const c = initContract();
const who = z.object({ username: z.string() });
const probe = (access: RouteMetadata['access']) => ({ access, tag: 'probe' }) satisfies RouteMetadata;

/** Routes as other areas have them. */
const probeContract = c.router({
  adminWrite: {
    method: 'POST',
    path: '/probe/admin',
    body: z.object({ needed: z.string() }),
    responses: { 200: who, ...failures },
    metadata: probe({ who: 'admin' }),
  },
  look: {
    method: 'POST',
    path: '/probe/look',
    body: c.noBody(),
    responses: { 200: who, ...failures },
    metadata: probe({ who: 'any', readOnlyTokens: true }),
  },
  link: {
    method: 'GET',
    path: '/probe/link',
    responses: { 200: who, ...failures },
    metadata: probe({ who: 'any', tokenInQuery: true }),
  },
});

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
  body: any;
}

/** Plugins, and how their users get in. */
interface SignInParts {
  signIns?: readonly SignIn[];
  signIn?: Partial<SignInRules>;
}

/** The routes of authentication over a real SQLite file and real password hashes, on a port of its own. */
export async function startAuthService({ signIns = [], signIn }: SignInParts = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-auth-'));
  const storage = await sqliteIn(folder);
  const cheap = { memoryCost: 1024, timeCost: 1 };
  const auth = authUseCases({
    storage,
    clock: { now: Date.now },
    log: quiet,
    passwords: { hash: (password) => hash(password, cheap), verify },
    passkeyTool,
    secrets: makeSecretBox({ current: 'a key for this test' }),
    settings: {
      accessTokenMinutes: 60,
      requireSecondFactor: 'off',
      publicUrl: 'https://backup.example.org',
      signIn: { unknownUsers: 'refuse', groups: [], ...signIn },
    },
    signIns,
  });

  const app = express();
  app.use(requestId);
  const me = async ({ req }: { req: { user?: unknown } }) => ok({ username: callerOf(req).username });
  createExpressEndpoints(
    c.router({ auth: authContract, probe: probeContract }),
    initServer().router(c.router({ auth: authContract, probe: probeContract }), {
      auth: authRouter({ auth }),
      probe: { adminWrite: me, look: me, link: me },
    }),
    app,
    {
      logInitialization: false,
      responseValidation: true,
      globalMiddleware: [accessGuard(auth), readBody],
      requestValidationErrorHandler: (error, _req, _res, next) => next(error),
    },
  );
  app.use(errorHandler({ log: quiet, redactor: makeRedactor() }));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const call = async (
    method: string,
    path: string,
    init: { token?: string; json?: unknown; form?: object } = {},
  ) => {
    const headers: Record<string, string> = {};
    if (init.token) headers.authorization = `Bearer ${init.token}`;
    if (init.json !== undefined) headers['content-type'] = 'application/json';
    const body = init.form ? new URLSearchParams({ ...init.form }) : JSON.stringify(init.json);
    const response = await fetch(base + path, { method, headers, body: method === 'GET' ? null : body });
    return { status: response.status, headers: response.headers, body: await response.json() } as Answer;
  };
  const logIn = async (username: string, password: string): Promise<string> =>
    (await call('POST', '/api/auth/login', { form: { username, password } })).body.access_token;

  return {
    auth,
    base,
    call,
    logIn,
    async stop() {
      await new Promise((resolve) => server.close(resolve));
      await storage.stop?.();
      await rm(folder, { recursive: true });
    },
  };
}
