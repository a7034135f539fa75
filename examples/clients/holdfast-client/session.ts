/** A client that signs in as a browser does. The environment contains the address of the service and the user. */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { answer, makeClient, type Schemas } from '@holdfast/client';

// In files, because other programs can read the environment and the arguments of this one.
const secret = async (variable: string) => (await readFile(process.env[variable] ?? '', 'utf8')).trimEnd();

const username = process.env.HOLDFAST_USER ?? 'admin';
const password = await secret('HOLDFAST_PASSWORD_FILE');
export const passphrase = await secret('HOLDFAST_PASSPHRASE_FILE');

let token: string | undefined;

export const client = makeClient({
  baseUrl: process.env.HOLDFAST_URL ?? 'http://127.0.0.1:8081',
  token: () => token,
  async onUnauthorized() {
    const session = await answer(client.POST('/api/auth/session', { body: { username, password } }));
    token = session.access_token;
    return true;
  },
  // Before what can't be undone; opens ten minutes for it.
  async onConfirmationRequired() {
    await answer(client.POST('/api/auth/confirm', { body: { password } }));
    return true;
  },
});

/** Waits for a job of any kind. Throws what went wrong unless it did its work. */
export async function endedJob(job_id: number): Promise<Schemas['JobView']> {
  for (;;) {
    const { job } = await answer(client.GET('/api/jobs/{job_id}', { params: { path: { job_id } } }));
    if (job.status === 'completed') return job;
    if (job.completed_at !== null) throw new Error(`Job ${job_id} is ${job.status}: ${job.error_message}`);
    await pause(200);
  }
}
