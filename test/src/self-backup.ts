import { createDecipheriv, hkdfSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { endedJob, type Job } from './actions.js';
import type { Api } from './api.js';
import type { TestServer } from './server.js';
import { waitFor } from './wait-for.js';

export interface SelfBackup {
  enabled: boolean;
  repository_id: number;
  schedule_id: number;
  path: string;
  suggested_path: string | null;
  same_disk: boolean;
  last_backup_at: string | null;
  next_run: string | null;
  last_error: string | null;
  warnings: string[];
}

export const selfBackupOf = async (api: Api): Promise<SelfBackup> =>
  (await api.get('/api/system/self-backup')).body as SelfBackup;

export async function switchOn(api: Api, more: object = {}): Promise<SelfBackup> {
  const answer = await api.put('/api/system/self-backup', { enabled: true, ...more });
  expect(`${answer.status} ${answer.text}`).toMatch(/^200 /);
  return answer.body as SelfBackup;
}

/** Runs the self-backup once, by hand, when the run that switching it on began is over with its prune and compact. */
export async function backUpItself(api: Api): Promise<Job> {
  const { repository_id } = await selfBackupOf(api);
  const isOver = async () => {
    const { body } = await api.get('/api/jobs', { repository_id: `${repository_id}`, limit: 100 });
    const jobs = body.jobs as { kind: string; completed_at: string | null }[];
    // The compact comes last.
    return (
      jobs.some(({ kind }) => kind === 'compact') && jobs.every(({ completed_at }) => completed_at !== null)
    );
  };
  await waitFor(isOver, { what: 'the end of the first run' });
  const { body } = await api.post('/api/backup/start', { repository: repository_id });
  return endedJob(api, body.job_id as number);
}

/** What a service left between two backups of itself. */
export const scratchOf = (dataDirectory: string): string[] =>
  readdirSync(join(dataDirectory, 'self-backup')).filter((name) => name !== 'README.txt');

/** The passphrase that the service generated, opened as it would itself. */
export async function passphraseOf(server: TestServer): Promise<string> {
  const database = await server.database();
  const columns = 'uid, passphrase FROM repository WHERE self_backup';
  const [row] = await database.all<{ uid: string; passphrase: string }>(`SELECT ${columns}`);
  await database.close();
  const [format, id, sealed = ''] = row?.passphrase.split('.') ?? [];
  const given = server.options.env?.SECRET_KEY;
  const key = given ?? readFileSync(join(server.dataDirectory, 'secret_key'), 'utf8').trim();
  const content = Buffer.from(sealed, 'base64url');
  const bytes = Buffer.from(hkdfSync('sha256', key, '', 'holdfast secret box', 32));
  const decipher = createDecipheriv('aes-256-gcm', bytes, content.subarray(0, 12))
    .setAAD(Buffer.from(`${format}.${id}.passphrase:${row?.uid}`))
    .setAuthTag(content.subarray(-16));
  return Buffer.concat([decipher.update(content.subarray(12, -16)), decipher.final()]).toString('utf8');
}
