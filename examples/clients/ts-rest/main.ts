/**
 * The main job with the client of ts-rest. Its types are those of the contracts; nothing is generated.
 *
 *     node dist/main.js <repository> <folder> <download>
 *
 * creates a repository, saves a folder in it, looks into the archive, downloads the first file of the folder, and
 * compares. The environment contains the address of the service and the user: see `settings`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { contract } from '@holdfast/contracts';
import { type ApiFetcherArgs, initClient, tsRestFetchApi } from '@ts-rest/core';

const [repository = '', folder = '', download = ''] = process.argv.slice(2);
const settings = {
  baseUrl: process.env.HOLDFAST_URL ?? 'http://127.0.0.1:8081',
  username: process.env.HOLDFAST_USER ?? 'admin',
  // In files, because other programs can read the environment and the arguments of this one.
  password: (await readFile(process.env.HOLDFAST_PASSWORD_FILE ?? '', 'utf8')).trimEnd(),
  passphrase: (await readFile(process.env.HOLDFAST_PASSPHRASE_FILE ?? '', 'utf8')).trimEnd(),
};

/** The client reads JSON and text. A file must be read as bytes, whatever its media type. */
async function api(args: ApiFetcherArgs) {
  if (args.route !== contract.archives.download) return tsRestFetchApi(args);
  const response = await fetch(args.path, { method: args.method, headers: args.headers });
  const body = response.ok ? new Uint8Array(await response.arrayBuffer()) : await response.json();
  return { status: response.status, body, headers: response.headers };
}

/** Only what is used: the whole contract would be more work for the compiler. */
const { archives, auth, backups, repositories } = contract;
const clientOf = (baseHeaders: Record<string, string> = {}) =>
  initClient({ archives, auth, backups, repositories }, { baseUrl: settings.baseUrl, baseHeaders, api });

/** The body of an answer with the expected status. Every error has a `detail` that says what to do. */
function bodyOf<Answer extends { status: number; body: unknown }, Status extends Answer['status']>(
  answer: Answer,
  status: Status,
): Extract<Answer, { status: Status }>['body'] {
  if (answer.status === status) return answer.body as Extract<Answer, { status: Status }>['body'];
  const { detail } = answer.body as { detail?: string };
  throw new Error(`${answer.status}: ${detail ?? 'no reason given'}`);
}

const { username, password, passphrase } = settings;
const login = await clientOf().auth.login({ body: { username, password } });
const { access_token } = bodyOf(login, 200);
const client = clientOf({ authorization: `Bearer ${access_token}` });

const created = await client.repositories.create({
  body: { name: `Example ${repository}`, path: repository, passphrase, source_directories: [folder] },
});
const { id } = bodyOf(created, 201).repository;
console.log(`Repository ${id} is at ${repository}.`);

const { job_id } = bodyOf(await client.backups.start({ body: { repository_id: id } }), 200);
// Numbers in paths and queries are sent as text.
const jobPath = { params: { job_id: `${job_id}` } };
let job = bodyOf(await client.backups.status(jobPath), 200);
while (job.completed_at === null) {
  await pause(200);
  job = bodyOf(await client.backups.status(jobPath), 200);
}
if (job.status !== 'completed') throw new Error(`The backup ended as ${job.status}: ${job.error_message}`);
console.log(`Job ${job_id} saved ${job.progress_details.nfiles} files.`);

const ofRepository = { repository_id: `${id}` };
const list = bodyOf(await client.archives.list({ query: ofRepository }), 200);
const archive = list.archives.at(-1)?.name ?? '';
console.log(`The newest of ${list.archives.length} archives is ${archive}.`);

const contents = bodyOf(
  await client.archives.contents({
    params: { archive_id: archive },
    query: { ...ofRepository, path: folder.replace(/^\//, '') },
  }),
  200,
);
const file = contents.items.find(({ type }) => type === 'file');
if (!file) throw new Error(`${folder} contains no file.`);

const answer = await client.archives.download({ query: { ...ofRepository, archive, file_path: file.path } });
const bytes = bodyOf(answer, 200) as Uint8Array;
await writeFile(download, bytes);
const original = await readFile(join(folder, file.name));
if (!original.equals(bytes)) throw new Error(`${file.name} is not what was saved.`);
console.log(`${file.name}: ${bytes.length} bytes, the same as in the folder.`);
