import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { mkdir, readdir, readStart, rename, rm, rmdir, unlink, writeFile } from '@holdfast/plugin-api/files';

export interface Holder {
  host: string;
  pid: number;
  exclusive: boolean;
}

/** A lock of the tool at `path`: the folder `<path>.exclusive` and the list `<path>.roster`. */
export async function holdersOf(path: string): Promise<Holder[]> {
  const inFolder = readdir(`${path}.exclusive`).catch(() => [] as string[]);
  const [roster, names] = await Promise.all([readRoster(path), inFolder]);
  const listed = (['exclusive', 'shared'] as const).flatMap((kind) => roster[kind].map(holderOf(kind)));
  return [...names.flatMap((name) => namedHolder(name) ?? []), ...listed];
}

/** The folder contains one file named `<host id>.<pid>-<thread>`. */
function namedHolder(name: string): Holder | null {
  const match = /^(.*)\.(\d+)-[0-9a-f]+$/.exec(name);
  return match && { host: match[1] as string, pid: Number(match[2]), exclusive: true };
}

const mostOfRoster = 1 << 20;

type Entry = readonly unknown[];
type Roster = Record<'exclusive' | 'shared', Entry[]>;

const holderOf =
  (kind: keyof Roster) =>
  ([host, pid]: Entry): Holder => ({ host: String(host), pid: Number(pid), exclusive: kind === 'exclusive' });

async function readRoster(path: string): Promise<Roster> {
  const text = await readStart(`${path}.roster`, mostOfRoster).then(String, () => '{}');
  const entries = (list: unknown): Entry[] => (Array.isArray(list) ? list.filter(Array.isArray) : []);
  try {
    const { exclusive, shared } = JSON.parse(text) ?? {};
    return { exclusive: entries(exclusive), shared: entries(shared) };
  } catch {
    return { exclusive: [], shared: [] }; // Being written right now.
  }
}

/** Removes only these holders, in the way of the tool itself, so that concurrent changes of others survive. */
export async function removeHolders(
  path: string,
  { isDead, as }: { isDead(holder: Holder): boolean; as: string },
): Promise<void> {
  const folder = `${path}.exclusive`;
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    const holder = namedHolder(name);
    if (holder && isDead(holder)) await unlink(join(folder, name)).catch(() => {});
  }
  await rmdir(folder).catch(() => {});
  const { exclusive, shared } = await readRoster(path);
  if (![...exclusive.map(holderOf('exclusive')), ...shared.map(holderOf('shared'))].some(isDead)) return;
  await holding(path, as, async () => {
    const roster = await readRoster(path);
    const left = {
      exclusive: roster.exclusive.filter((entry) => !isDead(holderOf('exclusive')(entry))),
      shared: roster.shared.filter((entry) => !isDead(holderOf('shared')(entry))),
    };
    if (left.exclusive.length + left.shared.length === 0) await unlink(`${path}.roster`);
    else await writeFile(`${path}.roster`, JSON.stringify(left));
  });
}

/** Only the owner of the folder may change the list. If another process owns it now, nothing is done. */
async function holding(path: string, as: string, work: () => Promise<void>): Promise<void> {
  const folder = `${path}.exclusive`;
  const own = `${as}.${process.pid}-0`;
  const made = `${folder}.${randomUUID()}.tmp`;
  await mkdir(made, { mode: 0o700 });
  try {
    await writeFile(join(made, own), '');
    await rename(made, folder);
  } catch {
    await rm(made, { recursive: true, force: true });
    return;
  }
  try {
    await work();
  } finally {
    await unlink(join(folder, own));
    await rmdir(folder).catch(() => {});
  }
}
