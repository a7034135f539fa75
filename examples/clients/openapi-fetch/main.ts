/**
 * The main job with openapi-fetch: its types are made by openapi-typescript from the document of the service
 * (`npm run generate` writes `holdfast.d.ts`); nothing of ours is needed.
 *
 *     node dist/main.js <repository> <folder> <download>
 *
 * makes a repository, saves a folder in it, looks into the archive, downloads the first file of the folder, and
 * compares. Where the service is, and who asks, stands in the environment: see `settings`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './holdfast.js';

const [repository = '', folder = '', download = ''] = process.argv.slice(2);
const settings = {
  baseUrl: process.env.HOLDFAST_URL ?? 'http://127.0.0.1:8081',
  username: process.env.HOLDFAST_USER ?? 'admin',
  // Files, because other programs can read the environment and the arguments of this one.
  password: (await readFile(process.env.HOLDFAST_PASSWORD_FILE ?? '', 'utf8')).trimEnd(),
  passphrase: (await readFile(process.env.HOLDFAST_PASSPHRASE_FILE ?? '', 'utf8')).trimEnd(),
};

interface Answer<Data> {
  data?: Data;
  error?: components['schemas']['ErrorBody'];
  response: Response;
}

/** What a call answered. Every error has a `detail` that says what to do. */
async function dataOf<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (data === undefined) throw new Error(`${response.status}: ${error?.detail}`);
  return data;
}

const client = createClient<paths>({ baseUrl: settings.baseUrl });
const { username, password, passphrase } = settings;
const { access_token } = await dataOf(
  client.POST('/api/auth/login', {
    body: { username, password },
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  }),
);
client.use({
  onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${access_token}`),
});

const created = await dataOf(
  client.POST('/api/repositories/', {
    body: { name: `Example ${repository}`, path: repository, passphrase, source_directories: [folder] },
  }),
);
const { id } = created.repository;
console.log(`Repository ${id} is at ${repository}.`);

const { job_id } = await dataOf(client.POST('/api/backup/start', { body: { repository_id: id } }));
const jobPath = { params: { path: { job_id } } };
let job = await dataOf(client.GET('/api/backup/status/{job_id}', jobPath));
while (job.completed_at === null) {
  await pause(200);
  job = await dataOf(client.GET('/api/backup/status/{job_id}', jobPath));
}
if (job.status !== 'completed') throw new Error(`The backup ended ${job.status}: ${job.error_message}`);
console.log(`Job ${job_id} saved ${job.progress_details.nfiles} files.`);

const query = { repository_id: id };
const list = await dataOf(client.GET('/api/archives/list', { params: { query } }));
const archive = list.archives.at(-1)?.name ?? '';
console.log(`The newest of ${list.archives.length} archives is ${archive}.`);

const contents = await dataOf(
  client.GET('/api/archives/{archive_id}/contents', {
    params: { path: { archive_id: archive }, query: { ...query, path: folder.replace(/^\//, '') } },
  }),
);
const file = contents.items.find(({ type }) => type === 'file');
if (!file) throw new Error(`${folder} holds no file.`);

const content = await dataOf(
  client.GET('/api/archives/download', {
    params: { query: { ...query, archive, file_path: file.path } },
    parseAs: 'arrayBuffer',
  }),
);
const bytes = new Uint8Array(content);
await writeFile(download, bytes);
const original = await readFile(join(folder, file.name));
if (!original.equals(bytes)) throw new Error(`${file.name} is not what was saved.`);
console.log(`${file.name}: ${bytes.length} bytes, the same as in the folder.`);
