import type { Connections } from '@holdfast/storage-sequelize';

/** A write that changes nothing: the mark is one that SQLite keeps for programs, and this one leaves it at 0. */
const emptyWrite = 'PRAGMA user_version = 0';

/**
 * Remembers that a change failed for a reason of the file's: a full or read-only disk, a lock that another process
 * keeps. Reads go on then and would say that all is well.
 */
export class WriteTrouble {
  #isThere = false;

  constructor(private readonly isTrouble: (error: unknown) => boolean) {}

  async notedOf<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } catch (error) {
      if (this.isTrouble(error)) this.#isThere = true;
      throw error;
    }
  }

  /** Rejects while the file can't be read, or not be written: after trouble it is written to find out. */
  async check({ reader, write }: Connections): Promise<void> {
    await reader.sequelize.query('SELECT 1');
    if (!this.#isThere) return;
    await write(({ sequelize }) => sequelize.query(emptyWrite));
    this.#isThere = false;
  }
}
