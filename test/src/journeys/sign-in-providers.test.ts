import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../scripts/services/own-server.mjs';
import { TestServer } from '../server.js';
import { OidcProvider, useProvider } from '../services/oidc.js';
import { waitFor } from '../wait-for.js';

/** As a browser follows one redirect after the other, with the cookies of the service. */
class Follower {
  readonly jar = new Map<string, string>();
  readonly #dispatcher: Agent;

  /** @param from - its own address */
  constructor(from = '127.0.0.1') {
    this.#dispatcher = new Agent({ localAddress: from });
  }

  async go(
    address: string,
    init: { method?: string; body?: URLSearchParams; headers?: Record<string, string> } = {},
  ) {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, cookie };
    const own = { redirect: 'manual', dispatcher: this.#dispatcher } as const;
    const answer = await fetch(address, { ...init, ...own, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      this.jar.set(name, value);
    }
    const to = answer.headers.get('location');
    return { status: answer.status, to: to === null ? '' : new URL(to, address).href };
  }

  async whoAmI(base: string) {
    const cookie = `holdfast_session=${this.jar.get('holdfast_session') ?? ''}`;
    const headers = { cookie, 'x-holdfast-session': '1', origin: base };
    const answer = await fetch(`${base}/api/auth/session/refresh`, { method: 'POST', headers });
    return (await answer.json()) as { username?: string; role?: string };
  }
}

const errorIn = (address: string) => new URL(address).searchParams.get('sign_in_error');

describe('a provider that is based on Authlib', () => {
  let server: TestServer;
  let provider: OidcProvider;
  beforeAll(async () => {
    server = await TestServer.start({ driver: 'memory' });
    provider = await OidcProvider.startAuthlib({
      ada: { preferred_username: 'ada', email: 'ada@example.org', groups: ['staff'] },
    });
    const groups = JSON.stringify([{ group: 'staff', role: 'user' }]);
    await useProvider(server, provider, { SIGN_IN_UNKNOWN_USERS: 'create', SIGN_IN_GROUPS: groups });
  });
  afterAll(async () => {
    await provider?.stop();
    await server?.remove();
  });

  async function signIn(sub: string) {
    const base = server.api.baseUrl;
    const browser = new Follower();
    const there = await browser.go(`${base}/api/auth/sign-in/oidc/start?return_to=/schedules`);
    const form = new URLSearchParams({ sub });
    const back = await browser.go(there.to, { method: 'POST', body: form });
    const done = await browser.go(back.to);
    return { browser, back: back.to, done };
  }

  test('signs in a user with a group', async () => {
    const { browser, done } = await signIn('ada');
    expect(done).toMatchObject({ status: 302, to: `${server.api.baseUrl}/schedules` });
    expect(await browser.whoAmI(server.api.baseUrl)).toMatchObject({ username: 'ada', role: 'user' });
  });

  test('refuses the same callback again, and in another browser', async () => {
    const { browser, back } = await signIn('ada');
    expect(errorIn((await browser.go(back)).to)).toBe('sign_in_step_over');
    expect(errorIn((await new Follower().go(back)).to)).toBe('sign_in_step_over');
  });

  test('records each sign-in, and no code, state or address', async () => {
    const { back } = await signIn('ada');
    const code = new URL(back).searchParams.get('code') ?? 'none';
    const state = new URL(back).searchParams.get('state') ?? 'none';
    await fetch(`${server.api.baseUrl}/api/auth/sign-in/oidc/start?return_to=//evil.example/`, {
      redirect: 'manual',
    });
    const admin = await server.login();
    const { body, text } = await admin.get('/api/audit', { action: 'authSignInCallback', limit: 10 });
    expect(body.entries[0]).toMatchObject({ kind: 'login', username: 'ada', outcome: 'done' });
    expect(body.entries.map(({ outcome }: { outcome: string }) => outcome)).toContain('denied');
    for (const secret of [code, state, 'evil.example']) expect(`${server.log}${text}`).not.toContain(secret);
  });
});

describe('a reverse proxy with forward authentication', () => {
  let server: TestServer;
  let portal: Server;
  let proxy: ReturnType<typeof spawn>;
  let at: string;

  beforeAll(async () => {
    server = await TestServer.start({ driver: 'memory' });
    // Like Authelia: it knows whose session this cookie is.
    portal = createServer((request, response) => {
      const isAda = request.headers.cookie?.includes('portal=ada');
      const known = { 'Remote-User': 'ada', 'Remote-Name': 'Ada', 'Remote-Groups': 'staff,\u00fcber' };
      response
        .writeHead(isAda ? 200 : 401, isAda ? { ...known, 'Remote-Email': 'ada@example.org' } : {})
        .end();
    }).listen(0, '127.0.0.1');
    await once(portal, 'listening');
    const port = await freePort();
    at = `http://127.0.0.1:${port}`;
    server.options.env = {
      PUBLIC_URL: at,
      TRUST_PROXY: '127.0.0.1',
      SIGN_IN_HEADER_USER: 'Remote-User',
      SIGN_IN_UNKNOWN_USERS: 'create',
      SIGN_IN_GROUPS: JSON.stringify([{ group: 'staff', role: 'user' }]),
    };
    await server.restart();
    const file = join(server.workspace.path, 'Caddyfile');
    writeFileSync(
      file,
      caddyfile(port, (portal.address() as AddressInfo).port, new URL(server.api.baseUrl).host),
    );
    proxy = spawn(
      process.env.HOLDFAST_CADDY ?? 'caddy',
      ['run', '--adapter', 'caddyfile', '--config', file],
      {
        env: { PATH: process.env.PATH, HOME: server.workspace.path, XDG_DATA_HOME: server.workspace.path },
        stdio: 'ignore',
      },
    );
    const isReady = () =>
      fetch(`${at}/health/ready`).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      );
    await waitFor(isReady, { what: 'the proxy', timeoutMs: 30_000, intervalMs: 50 });
  });
  afterAll(async () => {
    const ended = proxy && once(proxy, 'exit');
    proxy?.kill('SIGKILL');
    await ended;
    portal?.close();
    await server?.remove();
  });

  const visit = async (base: string, headers: Record<string, string>, from?: string) => {
    const browser = new Follower(from);
    const { to } = await browser.go(`${base}/api/auth/sign-in/header/start`);
    if (headers.cookie) for (const pair of headers.cookie.split('; ')) browser.jar.set(...split(pair));
    const { cookie: _, ...others } = headers;
    const done = await browser.go(to.replace(at, base), { headers: others });
    return { browser, done };
  };
  const split = (pair: string) => pair.split('=') as [string, string];

  test('signs in whom the proxy knows', async () => {
    const { browser, done } = await visit(at, { cookie: 'portal=ada' });
    expect([done.status, errorIn(done.to)]).toEqual([302, null]);
    expect(await browser.whoAmI(at)).toMatchObject({
      username: 'ada',
      role: 'user',
      email: 'ada@example.org',
    });
  });

  test('ignores forged identity headers, sent through the proxy or around it', async () => {
    const forged = { 'remote-user': 'admin', 'remote-groups': 'staff' };
    const through = await visit(at, forged);
    expect(through.done.status).toBe(401);
    const mixed = await visit(at, { ...forged, cookie: 'portal=ada' });
    expect(await mixed.browser.whoAmI(at)).toMatchObject({ username: 'ada' });
    const beside = await visit(server.api.baseUrl, forged, '127.0.0.5');
    expect(errorIn(beside.done.to)).toBe('sign_in_refused');
    const pretending = await visit(
      server.api.baseUrl,
      { ...forged, 'x-forwarded-for': '127.0.0.1' },
      '127.0.0.5',
    );
    expect(errorIn(pretending.done.to)).toBe('sign_in_refused');
  });
});

const caddyfile = (port: number, portal: number, service: string) => `{
	admin off
	auto_https off
}
http://127.0.0.1:${port} {
	route {
		request_header -Remote-*
		forward_auth /api/auth/sign-in/header/callback 127.0.0.1:${portal} {
			uri /api/authz/forward-auth
			copy_headers Remote-User Remote-Name Remote-Email Remote-Groups
		}
		reverse_proxy ${service} {
			flush_interval -1
		}
	}
}
`;
