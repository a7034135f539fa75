import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isTerminal, type Repository } from './actions.js';
import type { Answer, Api } from './api.js';
import { waitFor } from './wait-for.js';

export const pathOf = (repository: Repository, what: string) => `/api/repositories/${repository.id}/${what}`;
export const scratchOf = (dataDirectory: string) => {
  const folder = join(dataDirectory, 'drills');
  return existsSync(folder) ? readdirSync(folder) : [];
};

export async function endedDrill(as: Api, jobId: number): Promise<Answer['body']> {
  const look = async () => {
    const { job } = (await as.get(`/api/jobs/${jobId}`)).body;
    return isTerminal(job) && job;
  };
  return waitFor(look, { what: `the end of drill job ${jobId}`, timeoutMs: 60_000 });
}

/** Runs a drill by hand. Resolves to its evidence. */
export async function drill(as: Api, repository: Repository): Promise<Answer['body']> {
  const started = await as.post(pathOf(repository, 'drill'));
  expect(`${started.status} ${started.text}`).toMatch(/^200 /);
  await endedDrill(as, started.body.job_id);
  const { drills } = (await as.get('/api/drills', { repository_id: repository.id, limit: 1 })).body;
  expect(drills[0]?.job_id).toBe(started.body.job_id);
  const evidence = await as.get(`/api/drills/${drills[0].id}`, { limit: 1000 });
  expect(evidence.status).toBe(200);
  return evidence.body;
}

export const resultOf = ({ results }: Answer['body'], path: string) =>
  results.find((each: { path: string }) => each.path === path);
