import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What borgmatic and borg see: a home folder of their own. */
const environmentOf = (home: string) => ({
  PATH: process.env.PATH,
  PYTHONPATH: process.env.TEST_BORGMATIC ?? '',
  PYTHONDONTWRITEBYTECODE: '1',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  HOME: home,
  BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
});

/** The real borgmatic, as a person would call it. */
export async function borgmatic(home: string, ...words: string[]): Promise<string> {
  const { stdout, stderr } = await run('python3', ['-m', 'borgmatic.commands.borgmatic', ...words], {
    cwd: home,
    env: environmentOf(home),
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout + stderr;
}

export async function borg(home: string, passphrase: string, ...words: string[]): Promise<string> {
  const env = { ...environmentOf(home), BORG_PASSPHRASE: passphrase };
  return (await run('borg', words, { cwd: home, env, maxBuffer: 16 * 1024 * 1024 })).stdout;
}

/** Of the newest archive: what it is made of, path by path, with sizes, modes, owners and times. */
export async function newestArchive(home: string, passphrase: string, repository: string) {
  const listed = await borg(home, passphrase, 'list', '--last', '1', '--format', '{archive}{NL}', repository);
  const name = listed.trim();
  const lines = (await borg(home, passphrase, 'list', '--json-lines', `${repository}::${name}`))
    .trim()
    .split('\n');
  const entries = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .map(({ path, type, mode, uid, gid, size, source, mtime }) =>
      [path, type, mode, uid, gid, size, source, mtime].join(' '),
    );
  return { name, entries: entries.sort() };
}
