import { expect } from 'vitest';
import type { Answer, Api } from './api.js';
import type { TestSshd } from './services/sshd.js';

/** What tests read of a connection. */
export interface Connection {
  id: number;
  ssh_key_id: number | null;
  ssh_key_name: string | null;
  host: string;
  port: number;
  username: string;
  status: string;
  use_sftp_mode: boolean;
  default_path: string | null;
  ssh_path_prefix: string | null;
  trusted: boolean;
  sudo: boolean;
  jump_connection_id: number | null;
  last_test: string | null;
  last_success: string | null;
  error_message: string | null;
  host_key_fingerprint: string | null;
  storage: { total: number; used: number; available: number; percent_used: number } | null;
}

export interface SystemKey {
  id: number;
  name: string;
  key_type: string;
  public_key: string;
  fingerprint: string;
  is_active: boolean;
  connection_count: number;
  active_connections: number;
}

const base = '/api/ssh-keys';

/** A system key and a connection, from a host, a user and a password. */
export async function quickSetup(api: Api, sshd: TestSshd, more: object = {}): Promise<Connection> {
  const answer = await api.post(`${base}/quick-setup`, {
    name: 'system',
    key_type: 'ed25519',
    ...sshd.login,
    ...more,
  });
  expect(answer.text).toContain('"success":true');
  expect(answer.status).toBe(201);
  return connectionTo(api, sshd);
}

/** Makes the system key. */
export async function generateKey(api: Api, more: object = {}): Promise<SystemKey> {
  const answer = await api.post(`${base}/generate`, { name: 'system', key_type: 'ed25519', ...more });
  expect(answer.text).toContain('"success":true');
  expect(answer.status).toBe(201);
  return systemKey(api) as Promise<SystemKey>;
}

export async function systemKey(api: Api): Promise<SystemKey | null> {
  const { body } = await api.get(`${base}/system-key`);
  expect(body).toMatchObject({ success: true, exists: body.ssh_key !== null });
  return body.ssh_key;
}

/** Puts the system key on one more host. */
export async function deploy(api: Api, sshd: TestSshd, more: object = {}): Promise<Connection> {
  const answer = await deployAnswer(api, { ...sshd.login, ...more });
  expect(answer.text).toContain('"success":true');
  expect(answer.status).toBe(200);
  return connectionTo(api, sshd);
}

export async function deployAnswer(api: Api, body: object): Promise<Answer> {
  const key = await systemKey(api);
  return api.post(`${base}/${key?.id}/deploy`, body);
}

export async function connections(api: Api): Promise<Connection[]> {
  const answer = await api.get(`${base}/connections`);
  expect(answer.status).toBe(200);
  return answer.body.connections;
}

export async function connectionTo(api: Api, { username }: { username: string }): Promise<Connection> {
  const found = (await connections(api)).find((connection) => connection.username === username);
  if (found === undefined) throw new Error(`there is no connection for ${username}`);
  return found;
}

/** Calls of one connection. */
export const connectionActions = (api: Api, id: number) => ({
  test: () => api.post(`${base}/connections/${id}/test`),
  refreshStorage: () => api.post(`${base}/connections/${id}/refresh-storage`),
  redeploy: (password: string) => api.post(`${base}/connections/${id}/redeploy`, { password }),
  browse: (path?: string) => api.get(`${base}/connections/${id}/browse`, path === undefined ? {} : { path }),
  acceptHostKey: (fingerprint: string) =>
    api.post(`${base}/connections/${id}/accept-host-key`, { fingerprint }),
  update: (changes: object) => api.put(`${base}/connections/${id}`, changes),
  remove: async () => {
    const { username, host } = (await connections(api)).find((one) => one.id === id) ?? {};
    return api.delete(`${base}/connections/${id}`, { confirm: `${username}@${host}` });
  },
  show: async () => (await connections(api)).find((one) => one.id === id),
});

/** The address at which repositories on the host are shown. */
export const sshLocation = ({ username, host, port }: TestSshd, path: string): string =>
  `ssh://${username}@${host}:${port}/${path.replace(/^\/+/, '')}`;
