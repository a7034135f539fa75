import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../database.mjs';
import { signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, ratio } from '../statistics.mjs';
import { fill } from './overview.mjs';

const granted = 50;
const asked = 50;
const limit = 1.2;
const password = 'a limited password';

/** What a limited user costs, who sees few of many repositories: the same requests of both, in turn. */
export async function access({ folder, say }) {
  const dataDirectory = join(folder, 'access-data');
  mkdirSync(dataDirectory);
  await fill(dataDirectory, settings.repositories);
  const service = await startService(dataDirectory);
  const database = new Database(dataDirectory);
  try {
    const admin = await signIn(service.url);
    const grants = Array.from({ length: granted }, (_, at) => ({ repository_id: 7 * at + 1, right: 'see' }));
    await admin.post('/api/auth/users', { username: 'mira', password, role: 'limited', grants });
    const limited = await signIn(service.url, password, 'mira');
    const commit = () => database.all('UPDATE repository SET updated_at = updated_at + 1 WHERE id = 1');
    const rows = [];
    for (const path of ['/api/overview', '/api/jobs?limit=50']) {
      for (const [when, before] of [
        ['after a commit', commit],
        ['nothing changed', async () => {}],
      ]) {
        const taken = { admin: [], limited: [] };
        for (let n = 0; n < asked; n++) {
          for (const [who, api] of Object.entries({ admin, limited })) {
            await before();
            taken[who].push((await api.timed(path)).ms);
          }
        }
        const value = median(taken.limited) / median(taken.admin);
        say(`${path}, ${when}: ${median(taken.limited).toFixed(1)} ms, ${median(taken.admin).toFixed(1)} ms`);
        rows.push({
          what: `${path} of a limited user ÷ of an administrator, ${when}, median of ${asked}`,
          ...{ measured: ratio(value), limit: ratio(limit), passed: value <= limit },
        });
      }
    }
    return rows;
  } finally {
    await database.close();
    await service.stop();
  }
}
