/** A client that is signed in. The environment contains the address of the service and the user. */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './holdfast.js';

// In files, because other programs can read the environment and the arguments of this one.
const secret = async (variable: string) => (await readFile(process.env[variable] ?? '', 'utf8')).trimEnd();

export const username = process.env.HOLDFAST_USER ?? 'admin';
export const password = await secret('HOLDFAST_PASSWORD_FILE');
export const passphrase = await secret('HOLDFAST_PASSPHRASE_FILE');

interface Answer<Data> {
  data?: Data;
  error?: components['schemas']['ErrorBody'];
  response: Response;
}

/** The data of an answer. Every error has a `detail` that says what to do. */
export async function dataOf<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (data === undefined) throw new Error(`${response.status}: ${error?.detail}`);
  return data;
}

export const client = createClient<paths>({ baseUrl: process.env.HOLDFAST_URL ?? 'http://127.0.0.1:8081' });

/** From now on, every call of the client has the token of this session. */
export function useToken(token: string): void {
  client.use({ onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${token}`) });
}

/** Waits for a job of any kind. Throws what went wrong unless it did its work. */
export async function endedJob(job_id: number): Promise<components['schemas']['JobView']> {
  for (;;) {
    const { job } = await dataOf(client.GET('/api/jobs/{job_id}', { params: { path: { job_id } } }));
    if (job.status === 'completed') return job;
    if (job.completed_at !== null) throw new Error(`Job ${job_id} is ${job.status}: ${job.error_message}`);
    await pause(200);
  }
}
