import { rights } from '@holdfast/contracts';
import type { Api } from '../api.js';
import { Browser } from '../browser.js';
import { adminPassword } from '../server.js';
import { setUpTotp } from '../totp.js';
import type { Credentials, Visitor } from './judge-access.js';
import { userPassword, type World } from './world.js';

export const bearer = (token: string | null): Credentials => ({
  headers: { authorization: `Bearer ${token}` },
});
const nobodyWith = (name: string, credentials: Credentials): Visitor => ({
  name,
  standing: 'nobody',
  credentials: () => credentials,
});

/** With what was never a token, with what is none any more, and with each kind of token of a user and an administrator. */
export async function usualVisitors({ server, api }: World): Promise<Visitor[]> {
  const user = await server.login('mira', userPassword);
  return [
    ...(await strangers(api)),
    ...(await formerUsers(api, server.login.bind(server))),
    ...guests(user, api),
  ];
}

/** With each right on one repository, with a narrowed token, and in browsers. */
export const furtherVisitors = async ({ server, api }: World): Promise<Visitor[]> => [
  ...(await limitedOnes(api, server.login.bind(server))),
  ...browsers(server.api),
];

/** Made once, and anew where a fresh one is asked for. */
export function kept(make: () => Promise<Credentials>): Visitor['credentials'] {
  let last: Promise<Credentials> | undefined;
  return (fresh) => {
    if (fresh) return make();
    last ??= make();
    return last;
  };
}

/** A new API token: some calls end the one that they are made with. */
async function newToken(api: Api, more: object = {}): Promise<string> {
  const { status, text, body } = await api.post('/api/auth/tokens', { name: 'visitor', ...more });
  if (status !== 201) throw new Error(`no token for a visitor: ${status} ${text}`);
  return body.access_token;
}

async function strangers(api: Api): Promise<Visitor[]> {
  const basic = Buffer.from('admin:correct horse battery staple').toString('base64');
  const { body } = await api.post('/api/download-tickets', { url: '/api/backup/logs/123456/download' });
  return [
    nobodyWith('without a token', {}),
    nobodyWith('with an empty token', { headers: { authorization: 'Bearer ' } }),
    nobodyWith('with a wrong token', bearer(`hf_${'x'.repeat(43)}`)),
    nobodyWith('with a password', { headers: { authorization: `Basic ${basic}` } }),
    nobodyWith('with another scheme', { headers: { authorization: `Token ${await newToken(api)}` } }),
    nobodyWith('with a token as a cookie', { headers: { cookie: `token=${await newToken(api)}` } }),
    nobodyWith('with a ticket for another download', { query: `ticket=${body.ticket}` }),
    nobodyWith('with a ticket as a token', bearer(body.ticket)),
    nobodyWith('with the challenge of a second factor', bearer(await pendingChallenge(api))),
    nobodyWith('with an expired token', bearer(await expiredToken(api))),
    nobodyWith('with a revoked token', bearer(await revokedToken(api))),
  ];
}

/** Of a user whose password is right, and whose code is still to come. */
async function pendingChallenge(api: Api): Promise<string> {
  const account = { username: 'two-steps', password: 'password of two-steps', is_admin: true };
  await api.post('/api/auth/users', account);
  const { body } = await api.post('/api/auth/login', account);
  await setUpTotp(api.as(body.access_token), account.password);
  const due = await api.post('/api/auth/login', account);
  if (due.body.code !== 'second_factor_required') throw new Error(`no second factor: ${due.text}`);
  return due.body.second_factor.challenge;
}

async function expiredToken(api: Api): Promise<string> {
  const expires = Date.now() + 500;
  const token = await newToken(api, { expires_at: new Date(expires).toISOString() });
  // Not an event: what is awaited is the time itself.
  await new Promise((resolve) => setTimeout(resolve, expires + 50 - Date.now()));
  return token;
}

async function revokedToken(api: Api): Promise<string> {
  const { body } = await api.post('/api/auth/tokens', { name: 'to be revoked' });
  await api.delete(`/api/auth/tokens/${body.token.id}`);
  return body.access_token;
}

type LogIn = (username: string, password: string) => Promise<Api>;

async function formerUsers(api: Api, logIn: LogIn): Promise<Visitor[]> {
  const join = async (username: string) => {
    const account = { username, password: `password of ${username}`, is_admin: true };
    const { id } = (await api.post('/api/auth/users', account)).body;
    return { id, token: await newToken(await logIn(username, account.password)) };
  };
  const inactive = await join('inactive');
  await api.put(`/api/auth/users/${inactive.id}`, { is_active: false });
  const deleted = await join('deleted');
  await api.delete(`/api/auth/users/${deleted.id}`);
  const { id } = await join('forgetful');
  const temporary = 'a temporary password';
  await api.post(`/api/settings/users/${id}/reset-password`, { new_password: temporary });
  return [
    nobodyWith('an inactive administrator', bearer(inactive.token)),
    nobodyWith('a deleted administrator', bearer(deleted.token)),
    {
      name: 'an administrator who must change the password',
      standing: 'admin',
      mustChangePassword: true,
      credentials: kept(async () => bearer((await logIn('forgetful', temporary)).token ?? '')),
    },
  ];
}

const guests = (user: Api, admin: Api): Visitor[] => [
  { name: 'a user', standing: 'user', credentials: kept(async () => bearer(await newToken(user))) },
  {
    name: 'an administrator',
    standing: 'admin',
    credentials: kept(async () => bearer(await newToken(admin))),
  },
  {
    name: 'a user who may only read',
    standing: 'user',
    readOnly: true,
    credentials: kept(async () => bearer(await newToken(user, { read_only: true }))),
  },
  {
    name: 'an administrator who may only read',
    standing: 'admin',
    readOnly: true,
    credentials: kept(async () => bearer(await newToken(admin, { read_only: true }))),
  },
  {
    name: 'an administrator with a token for the summary',
    standing: 'admin',
    summaryOnly: true,
    credentials: kept(async () => bearer(await newToken(admin, { summary_only: true }))),
  },
  {
    name: 'an administrator with the token in the query',
    standing: 'admin',
    inQuery: true,
    credentials: kept(async () => ({ query: `token=${await newToken(admin)}` })),
  },
];

/** One user for each right, and tokens that have less than their user. */
export async function limitedOnes(admin: Api, logIn: LogIn, prefix = ''): Promise<Visitor[]> {
  const visitor = (name: string, api: Api, more: object = {}): Visitor => ({
    name,
    standing: 'user',
    limited: true,
    credentials: kept(async () => bearer(await newToken(api, more))),
  });
  const users: Visitor[] = [];
  for (const right of rights) {
    const account = { username: `${prefix}may-${right}`, password: `password to ${right}`, role: 'limited' };
    await admin.post('/api/auth/users', { ...account, grants: [{ repository_id: 1, right }] });
    users.push(visitor(`a limited user who may ${right}`, await logIn(account.username, account.password)));
  }
  return [
    ...users,
    visitor('an administrator with a narrowed token', admin, {
      grants: [{ repository_id: 1, right: 'restore' }],
    }),
  ];
}

function browsers(api: Api): Visitor[] {
  const pageOf = async (username: string, password: string) =>
    (await Browser.signIn(api, { username, password })).page;
  const confirmed = async () => {
    const page = await pageOf('admin', adminPassword);
    await page.post('/api/auth/confirm', { password: adminPassword });
    return bearer(page.token ?? '');
  };
  const withCookie = (headers: Record<string, string> = {}) =>
    kept(async () => ({ headers: (await Browser.signIn(api)).headers(headers) }));
  return [
    {
      name: 'a user in a browser',
      standing: 'user',
      unconfirmed: true,
      credentials: kept(async () => bearer((await pageOf('mira', userPassword)).token ?? '')),
    },
    {
      name: 'an administrator in a browser',
      standing: 'admin',
      unconfirmed: true,
      credentials: kept(async () => bearer((await pageOf('admin', adminPassword)).token ?? '')),
    },
    {
      name: 'an administrator in a browser who has confirmed the password',
      standing: 'admin',
      credentials: kept(confirmed),
    },
    {
      name: 'a page of the service with nothing but the cookie of a session',
      standing: 'nobody',
      ownPage: true,
      credentials: withCookie(),
    },
    {
      name: 'a page of another site with the cookie of a session',
      standing: 'nobody',
      credentials: withCookie({ 'sec-fetch-site': 'cross-site' }),
    },
  ];
}
