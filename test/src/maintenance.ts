import { closeSync, openSync, readdirSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isTerminal } from './actions.js';
import type { Answer, Api } from './api.js';
import { waitFor } from './wait-for.js';

type Kind = 'check' | 'compact' | 'prune';

/** Resolves to the job once it ended, as its status route tells it. */
export function endedMaintenance(
  api: Api,
  kind: Kind,
  started: Answer,
  timeoutMs = 60_000,
): Promise<Answer['body']> {
  expect(started.text).toContain('"job_id"');
  const look = async () => {
    const { body } = await api.get(`/api/repositories/${kind}-jobs/${started.body.job_id}`);
    return isTerminal(body) && body;
  };
  return waitFor(look, { what: `the end of ${kind} job ${started.body.job_id}`, timeoutMs });
}

/** Turns one bit over in the middle of the largest file of a repository's data. Resolves to how to turn it back. */
export function flipOneBit(repository: string): () => void {
  const folder = join(repository, 'data', '0');
  const files = readdirSync(folder).map((name) => join(folder, name));
  const [largest = ''] = files.toSorted((a, b) => statSync(b).size - statSync(a).size);
  const flip = () => {
    const handle = openSync(largest, 'r+');
    const at = Math.floor(statSync(largest).size / 2);
    const byte = Buffer.alloc(1);
    readSync(handle, byte, 0, 1, at);
    byte[0] = (byte[0] ?? 0) ^ 1;
    writeSync(handle, byte, 0, 1, at);
    closeSync(handle);
  };
  flip();
  return flip;
}
