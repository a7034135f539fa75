import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { againstExpress } from '../against-express.mjs';
import { Database, databaseWithOneOfEach, yearOf } from '../database.mjs';
import { signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';

const paths = {
  '/api/overview': '20 repositories',
  '/api/repositories/': '20 repositories',
  '/api/schedule/': '20 schedules',
  '/api/jobs?limit=50': `50 of ${settings.listedJobs} jobs`,
  '/api/backup/jobs?limit=200': `200 of ${settings.listedJobs} jobs`,
};

/**
 * Requests per second for what a page of a user interface asks for, compared to a bare express route with the same
 * bytes.
 */
export async function apiThroughput({ folder, say }) {
  const dataDirectory = join(folder, 'api-data');
  mkdirSync(dataDirectory);
  await fill(dataDirectory);
  const service = await startService(dataDirectory);
  const database = new Database(dataDirectory);
  try {
    return await againstExpress({ service, api: await signIn(service.url), paths, say, database });
  } finally {
    await service.stop();
    await database.close();
  }
}

async function fill(dataDirectory) {
  const database = await databaseWithOneOfEach(dataDirectory);
  const many = 20;
  const own = { name: `'r' || n`, uid: `uid || n`, path: `'/r/' || n`, tool_id: `tool_id || n` };
  await database.multiply('repository', many, own);
  await database.multiply('schedule', many, { name: `'s' || n` });
  await database.multiply('schedule_repository', many, { schedule_id: 'n', repository_id: 'n' });
  await database.multiply('job', settings.listedJobs, {
    ...yearOf(['requested_at', 'started_at', 'completed_at']),
    repository_id: `(n - 1) % ${many} + 1`,
  });
  await database.close();
}
