import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRepository, type Repository, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { waitFor } from '../wait-for.js';

/** A repository whose backups stand still in a script until they are let go. */
export class HeldRepository {
  private constructor(
    readonly repository: Repository,
    private readonly gate: string,
  ) {}

  /** `at`: before the tool begins, or after it made the archive. `says`: what the script writes when it is let go. */
  static async make(
    api: Api,
    {
      folder,
      source,
      at,
      says = 'true',
    }: { folder: string; source: string; at: 'before' | 'after'; says?: string },
  ): Promise<HeldRepository> {
    const name = `held-${at}`;
    const gate = join(folder, `gate-${name}`);
    const script = `touch '${gate}.waits'; until [ -e '${gate}' ]; do sleep 0.05; done; ${says}`;
    const repository = await createRepository(api, {
      name,
      path: join(folder, name),
      source_directories: [source],
      [at === 'before' ? 'pre_backup_script' : 'post_backup_script']: script,
    });
    return new HeldRepository(repository, gate);
  }

  /** Starts a backup, and resolves to its id when it stands still. */
  async begin(api: Api): Promise<number> {
    for (const file of [this.gate, `${this.gate}.waits`]) rmSync(file, { force: true });
    const id = await startBackup(api, this.repository.path);
    await waitFor(() => existsSync(`${this.gate}.waits`), {
      what: 'a backup that stands still',
      timeoutMs: 240_000,
    });
    return id;
  }

  letGo(): void {
    writeFileSync(this.gate, '');
  }
}
