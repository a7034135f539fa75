import { expect } from 'vitest';
import type { Answer, Api } from './api.js';
import { waitFor } from './wait-for.js';

export const passphrase = 'a passphrase for tests only';

export interface RepositoryInput {
  name: string;
  path: string;
  source_directories?: string[];
  [field: string]: unknown;
}

export interface Repository {
  id: number;
  name: string;
  path: string;
}

/** What tests read of a job. */
export interface Job {
  id: number;
  repository: string;
  status: string;
  started_at: string | null;
  completed_at: string | null;
  error_message: string | null;
  waiting_for: string | null;
  archive_name: string | null;
  progress: number;
  progress_details: {
    nfiles: number;
    original_size: number;
    deduplicated_size: number;
    progress_percent: number;
    current_file: string;
  };
}

export async function createRepository(api: Api, input: RepositoryInput): Promise<Repository> {
  const answer = await api.post('/api/repositories/', { passphrase, ...input });
  expect(answer.text).toContain('"success":true');
  expect(answer.status).toBe(201);
  return answer.body.repository as Repository;
}

export async function startBackup(api: Api, repository: string): Promise<number> {
  const answer = await api.post('/api/backup/start', { repository });
  expect(answer.body).toMatchObject({ success: true, status: 'pending' });
  expect(answer.status).toBe(200);
  return answer.body.job_id as number;
}

export async function jobOf(api: Api, id: number): Promise<Job> {
  const answer = await api.get(`/api/backup/status/${id}`);
  expect(answer.status).toBe(200);
  return answer.body as Job;
}

export function isTerminal({ status }: { status: string }): boolean {
  return status !== 'pending' && status !== 'running';
}

export function endedJob(api: Api, id: number, timeoutMs = 300_000): Promise<Job> {
  const look = async () => {
    const job = await jobOf(api, id);
    return isTerminal(job) && job;
  };
  return waitFor(look, { what: `the end of job ${id}`, timeoutMs });
}

/** Resolves as soon as the tool has read some files. */
export function runningJob(api: Api, id: number): Promise<Job> {
  const look = async () => {
    const job = await jobOf(api, id);
    if (isTerminal(job)) throw new Error(`job ${id} ended too early: ${job.status} ${job.error_message}`);
    return job.status === 'running' && job.progress_details.original_size > 0 && job;
  };
  return waitFor(look, { what: `progress of job ${id}`, timeoutMs: 60_000, intervalMs: 50 });
}

export async function backUp(api: Api, repository: string): Promise<Job> {
  return endedJob(api, await startBackup(api, repository));
}

export interface ArchiveEntry {
  id: string;
  name: string;
  start: string;
  sources: { kind: string; name: string }[] | null;
}

export async function archivesOf(api: Api, repository: string): Promise<ArchiveEntry[]> {
  const answer = await api.get('/api/archives/list', { repository });
  expect(answer.status).toBe(200);
  return answer.body.archives as ArchiveEntry[];
}

export interface ContentItem {
  name: string;
  type: string;
  size: number;
  path: string;
  name_escaped?: boolean;
}

export async function contentsOf(
  api: Api,
  { repository, archive, path = '' }: { repository: string; archive: string; path?: string },
): Promise<ContentItem[]> {
  const answer = await api.get(`/api/archives/${encodeURIComponent(archive)}/contents`, { repository, path });
  expect(answer.text.slice(0, 500)).toContain('"success":true');
  return answer.body.items as ContentItem[];
}

export function download(
  api: Api,
  { repository, archive, path }: { repository: string; archive: string; path: string },
  headers: Record<string, string> = {},
): Promise<Answer> {
  const query = { repository, archive, file_path: path, token: api.token ?? '' };
  return api.request('GET', '/api/archives/download', { query, token: null, headers });
}

/** Where a local path is found inside an archive. */
export const archived = (path: string): string => path.replace(/^\/+/, '');

export async function deleteArchive(api: Api, repository: string, archive: string) {
  const started = await api.delete(`/api/archives/${encodeURIComponent(archive)}`, { repository });
  expect(started.body).toMatchObject({ success: true, status: 'pending' });
  const look = async () => {
    const answer = await api.get(`/api/archives/delete-jobs/${started.body.job_id}`);
    return isTerminal(answer.body) && answer.body;
  };
  return waitFor(look, { what: 'the end of the deletion', timeoutMs: 60_000 });
}

/** A refusal as the interface promises it: the code, and a sentence for a person that shows nothing of the inside. */
export function expectRefusal(answer: Answer, status: number, detail: RegExp = /\w/): void {
  const { status: got, text } = answer;
  expect(`${got} ${text}`).toMatch(new RegExp(`^${status} \\{`));
  expect(typeof answer.body.detail).toBe('string');
  expect(answer.body.detail).toMatch(detail);
  expect(answer.body.detail.length).toBeGreaterThan(10);
  expect(text).not.toMatch(/Traceback|node_modules|\bat .*\.js:\d+|SQLITE_|SELECT |ENOENT: /);
}
