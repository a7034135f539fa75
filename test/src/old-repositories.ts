import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Borg } from './oracles/borg.js';

const day = 86_400_000;

export interface OldRepository {
  path: string;
  encryption: string;
  passphrase: string | null;
  keyfile: string | null;
  /** The same repository at a place that nothing else touches. */
  borg: Borg;
}

export const common = 'the passphrase of most of them';
const kinds = [
  ['repokey', common],
  ['keyfile', common],
  ['repokey-blake2', common],
  ['keyfile-blake2', common],
  ['authenticated', common],
  ['authenticated-blake2', common],
  ['none', null],
  ['repokey', 'a passphrase of its own'],
] as const;
/** How many are not copies. */
export const originals = kinds.length;

/** Days before now at which each made an archive. */
const ages = [1, 2, 3, 40];

/**
 * Repositories as somebody has them who made backups for long: of all kinds of encryption, and copies of them up to
 * `count`, below `folder`.
 */
export async function makeOldRepositories(
  folder: string,
  { count, source, aside }: { count: number; source: string; aside: string },
): Promise<OldRepository[]> {
  const now = Date.now();
  const made: Omit<OldRepository, 'path'>[] = [];
  const make = async (n: number) => {
    const [encryption, passphrase] = kinds[n] as (typeof kinds)[number];
    const base = join(aside, `base-${n}`);
    mkdirSync(base);
    const borg = new Borg(join(aside, `original-${n}`), base, passphrase === null ? {} : { passphrase });
    await borg.run('init', `--encryption=${encryption}`, borg.repository);
    for (const age of ages) await borg.create(`nas-${age}`, now - age * day, { source });
    const keyfile = encryption.startsWith('keyfile')
      ? await borg.run('key', 'export', borg.repository)
      : null;
    made[n] = { encryption, passphrase, keyfile, borg };
  };
  const waiting = kinds.map((_, n) => n).slice(0, count);
  const worker = async () => {
    for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) await make(n);
  };
  await Promise.all([worker(), worker(), worker()]);
  return Array.from({ length: count }, (_, n) => {
    const original = made[n % made.length] as Omit<OldRepository, 'path'>;
    const path = join(folder, `shelf-${n % 3}`, `store-${n}`);
    cpSync(original.borg.repository, path, { recursive: true });
    return { ...original, path };
  });
}

/** What a search must get past: returns the paths of the broken ones. */
export function makeObstacles(folder: string, whole: OldRepository): string[] {
  const at = (...names: string[]) => join(folder, ...names);
  for (let n = 0; n < 100; n++)
    execFileSync('mkdir', ['-p', ...Array.from({ length: 100 }, (_, m) => at('many', `${n}`, `${m}`))]);
  symlinkSync('..', at('loop'));
  symlinkSync(whole.path, at('link'));
  cpSync(whole.borg.repository, join(whole.path, 'inside'), { recursive: true });
  mkdirSync(at('closed'), { mode: 0o700 });
  const broken = ['no-config', 'no-data', 'version-2', 'garbage'].map((name) => at('broken', name));
  const [noConfig = '', noData = '', other = '', garbage = ''] = broken;
  for (const path of broken) cpSync(whole.borg.repository, path, { recursive: true });
  rmSync(join(noConfig, 'config'));
  rmSync(join(noData, 'data'), { recursive: true });
  writeFileSync(join(other, 'config'), '[repository]\nversion = 2\n');
  writeFileSync(join(garbage, 'config'), Buffer.alloc(100, 0xff));
  return broken;
}
