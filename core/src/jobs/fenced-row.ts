import type { StorageBackend, StorageSession } from '../ports/storage.js';
import { type JobRow, jobs } from '../schema/tables.js';

/** Writes to a job's row that hold only as long as the job belongs to this run. */
export class FencedRow {
  readonly #where: { id: number; fence: number; status: 'running' };
  readonly #storage: StorageBackend;
  readonly #onLost: () => void;
  #lost = false;

  constructor(storage: StorageBackend, job: Pick<JobRow, 'id' | 'fence'>, onLost: () => void) {
    this.#storage = storage;
    this.#where = { id: job.id, fence: job.fence, status: 'running' };
    this.#onLost = onLost;
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** From now on nothing is written. */
  lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#onLost();
  }

  /** False when the job is lost; rejects with the store's error. */
  async update(patch: Partial<JobRow>, session: StorageSession = this.#storage): Promise<boolean> {
    if (this.#lost) return false;
    const held = (await session.update(jobs, this.#where, patch)) > 0;
    if (!held) this.lose();
    return held;
  }

  /** The row as it is, or null when the job is lost. */
  async read(session: StorageSession = this.#storage): Promise<JobRow | null> {
    if (this.#lost) return null;
    const [row] = await session.find(jobs, { where: this.#where, limit: 1 });
    if (!row) this.lose();
    return row ?? null;
  }
}
