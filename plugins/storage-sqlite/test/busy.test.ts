import { sqlStorage } from '@holdfast/storage-sequelize';
import { describe, expect, it } from 'vitest';
import { sqliteDialect } from '../src/sqlite-dialect.js';
import { users } from './entities.js';
import { ourStart } from './open-file.js';
import { temporaryFolder } from './temporary-folder.js';

const inFolder = temporaryFolder();

/** A promise and what resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Keeps others from writing until the function that it resolves to is called. */
async function lockOf(holder: ReturnType<typeof sqlStorage>) {
  const [entered, left] = [gate(), gate()];
  const holding = holder.transaction(async () => {
    entered.open();
    await left.opened;
  });
  await entered.opened;
  return async () => {
    left.open();
    await holding;
  };
}

describe('a change that meets others', () => {
  it('is refused as a conflict during a foreign lock, while reads continue', async () => {
    const dialect = sqliteDialect(inFolder('busy.sqlite'), { busyTimeoutMs: 100, patienceMs: 1_000 });
    const [holder, other] = [sqlStorage({ dialect }), sqlStorage({ dialect })];
    await holder.start(ourStart);
    await other.start(ourStart);
    const letGo = await lockOf(holder);
    await expect(other.update(users, {}, { is_admin: true })).rejects.toMatchObject({ kind: 'conflict' });
    await expect(other.transaction(async () => {})).rejects.toMatchObject({
      kind: 'conflict',
      retryable: true,
    });
    expect(await other.find(users)).toEqual([]);
    await letGo();
    expect(await other.update(users, {}, { is_admin: true })).toBe(0);
    await Promise.all([holder.stop(), other.stop()]);
  });

  it('reports the lock in its health until a change is possible again', async () => {
    const dialect = sqliteDialect(inFolder('told.sqlite'), { busyTimeoutMs: 100, patienceMs: 1_000 });
    const [holder, other] = [sqlStorage({ dialect: sqliteDialect(dialect.target) }), sqlStorage({ dialect })];
    await holder.start(ourStart);
    await other.start(ourStart);
    const letGo = await lockOf(holder);
    expect(await other.health()).toBeNull();
    await expect(other.update(users, {}, { is_admin: true })).rejects.toMatchObject({ kind: 'conflict' });
    expect(await other.health()).toMatch(/is locked by another process/);
    await letGo();
    expect(await other.health()).toBeNull();
    await Promise.all([holder.stop(), other.stop()]);
  });
});
