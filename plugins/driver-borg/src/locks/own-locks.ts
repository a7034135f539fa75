import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@holdfast/plugin-api';
import type { OperationOptions, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { cacheFolders } from '../cache-limit.js';
import { isRemote } from '../location.js';
import { isProvablyDead, type LockFacts, runsAs } from './dead-holders.js';
import { type Holder, holdersOf, removeHolders } from './lock-files.js';
import { deadIdentities, type LockIdentity, takeLockIdentity } from './lock-identity.js';

/** The locks that this service's tools hold, or held when they were killed. */
export class OwnLocks {
  private identity: Promise<LockIdentity | null> | undefined;
  /** One at a time: two concurrent runs would take each other for dead. */
  private clearing: Promise<void> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly log: Log,
  ) {}

  take(): Promise<LockIdentity | null> {
    this.identity ??= takeLockIdentity(this.folder).catch((error: unknown) => {
      this.log.warn('locks of killed Borg processes cannot be recognised: their files could not be created', {
        error,
      });
      return null;
    });
    return this.identity;
  }

  /** Holders of a local repository's lock that are not known to be dead. */
  async livingHolders(location: string): Promise<Holder[]> {
    const holders = await holdersOf(join(location, 'lock'));
    const facts = await this.facts(holders);
    return holders.filter((holder) => facts === null || !isProvablyDead(holder, facts));
  }

  /**
   * Removes the locks that this service's processes left when they were killed, in the repository and in the tool's
   * caches. The tool itself does so only if no process has that pid now.
   */
  clear(
    { location }: Pick<RepositoryTarget, 'location'>,
    { base, onLog }: { base: string; onLog: OperationOptions['onLog'] },
  ): Promise<void> {
    const done = this.clearing.then(async () => {
      const caches = (await Promise.all(cacheFolders(base).map(subfolders))).flat();
      const paths = [...(isRemote(location) ? [] : [location]), ...caches].map((folder) =>
        join(folder, 'lock'),
      );
      const found = await Promise.all(paths.map(async (path) => ({ path, holders: await holdersOf(path) })));
      for (const each of found) await this.clearOne(each, onLog);
    });
    this.clearing = done.catch((error) => this.log.warn('the locks of Borg could not be checked', { error }));
    return this.clearing;
  }

  private async clearOne(
    { path, holders }: { path: string; holders: Holder[] },
    onLog: OperationOptions['onLog'],
  ): Promise<void> {
    const facts = await this.facts(holders);
    if (facts === null) return;
    const isDead = (holder: Holder) => isProvablyDead(holder, facts);
    const dead = [...new Set(holders.filter(isDead).map(({ pid }) => pid))];
    if (dead.length === 0) return;
    await removeHolders(path, { isDead, as: facts.own });
    this.log.warn('removed the lock of a killed Borg process', {
      path,
      pids: dead,
    });
    onLog?.({
      level: 'info',
      text: `Removed the lock of a killed Borg process (${dead.join(', ')}): ${path}`,
    });
  }

  /** Null if nobody holds anything, or nothing can be proved. */
  private async facts(holders: readonly Holder[]): Promise<LockFacts | null> {
    const identity = holders.length === 0 ? null : await this.take();
    if (identity === null) return null;
    const own = identity.id;
    const others = holders.some(({ host }) => host !== own && host.startsWith('holdfast-'));
    const dead = others ? await deadIdentities(this.folder) : new Set<string>();
    return { own, dead, runs: (pid) => runsAs(own, pid) };
  }
}

const subfolders = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [] as string[])).map((name) => join(folder, name));
