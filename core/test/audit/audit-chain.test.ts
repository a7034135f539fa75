import { beforeEach, describe, expect, it } from 'vitest';
import { type ChainedEntry, chained } from '../../src/foundation/audit/audit-entry.rules.js';
import { appendEntries } from '../../src/foundation/audit/audit-trail.js';
import { auditEntries, auditHeads } from '../../src/foundation/audit/tables.js';
import { auditWorld, fact } from './audit-world.js';

let world: ReturnType<typeof auditWorld>;
beforeEach(() => {
  world = auditWorld();
});

const five = async () => {
  await world.append('a', 'b', 'c');
  await world.append('d', 'e');
};
const update = (seq: number, patch: object) => world.storage.update(auditEntries, { seq }, patch);
const findingOf = async (more: object = {}) => (await world.verify(more)).finding;

describe('the trail', () => {
  it('gives each of many concurrent entries its own position', async () => {
    const many = Array.from({ length: 40 }, (_, number) => world.append(`a${number}`, `b${number}`));
    await Promise.all(many);
    const rows = await world.rows();
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
    expect(new Set(rows.map(({ action }) => action)).size).toBe(80);
    const last = { seq: 80, hash: rows.at(-1)?.hash };
    expect(await world.verify()).toEqual({ entries: 80, last, finding: null });
  });

  it('holds texts as every storage gives them back', async () => {
    const text = `\u0000\u001b[2J${'x'.repeat(2_000)}\ud83d\ude00`;
    await appendEntries(world.store, [fact('odd', { url: text, object_id: 'bad\udcffname' })]);
    const [row] = await world.rows();
    expect(row?.url).toMatch(/^\ufffd\ufffd\[2Jx{995}…$/);
    expect(row?.object_id).toBe('bad\ufffdname');
    expect(await findingOf()).toBeNull();
  });

  it('is not valid before its first entry', async () => {
    expect(await findingOf()).toEqual({ seq: 1, what: expect.stringContaining('trail is empty') });
  });
});

describe('verifying the trail', () => {
  beforeEach(five);

  it.each([
    ['action', 'x'],
    ['username', null],
    ['at', 1],
    ['address', '192.0.2.1'],
    ['status', 201],
    ['outcome', 'denied'],
    ['note', 'x'],
    ['previous_hash', 'f'.repeat(64)],
  ])('finds an entry with a changed %s', async (column, value) => {
    await update(3, { [column]: value });
    expect(await findingOf()).toEqual({ seq: 3, what: expect.stringContaining('changed') });
    expect(await world.verify()).toMatchObject({ entries: 2, last: { seq: 2 } });
  });

  it('finds an entry changed together with its hash, by the next one', async () => {
    const [, second, third] = await world.rows();
    if (!second || !third) throw new Error('no rows');
    await update(3, chained({ ...third, username: 'mira' }, second));
    expect(await findingOf()).toEqual({ seq: 4, what: expect.stringContaining('was replaced') });
  });

  it('finds an entry deleted in the middle or at the beginning', async () => {
    await world.storage.remove(auditEntries, { seq: 3 });
    expect(await findingOf()).toEqual({ seq: 3, what: expect.stringMatching(/missing.* 4$/) });
    await world.storage.remove(auditEntries, { seq: 1 });
    expect(await findingOf()).toMatchObject({ seq: 1 });
  });

  it('entries cut off at the end', async () => {
    await world.storage.remove(auditEntries, { seq: { gt: 3 } });
    expect(await findingOf()).toEqual({ seq: 4, what: expect.stringContaining('continued to entry 5') });
  });

  it('finds an entry that was moved', async () => {
    await update(2, { seq: 99 });
    await update(4, { seq: 2 });
    await update(99, { seq: 4 });
    expect(await findingOf()).toEqual({ seq: 2, what: expect.stringContaining('moved') });
  });

  it('finds an entry inserted in the middle', async () => {
    const rows = await world.rows();
    for (const { id, seq } of rows.slice(2).reverse()) {
      await world.storage.update(auditEntries, { id }, { seq: seq + 1 });
    }
    await world.storage.insert(auditEntries, chained(fact('forged'), rows[1] as ChainedEntry));
    expect(await findingOf()).toMatchObject({ seq: 4 });
  });

  it('finds an entry added after the end', async () => {
    const last = (await world.rows()).at(-1) as ChainedEntry;
    await world.storage.insert(auditEntries, chained(fact('forged'), last));
    expect(await findingOf()).toEqual({ seq: 7, what: expect.stringContaining('later entries are stored') });
  });

  it('finds a completely rewritten trail', async () => {
    const rows = await world.rows();
    let before: Pick<ChainedEntry, 'seq' | 'hash'> = { seq: 0, hash: '0'.repeat(64) };
    for (const row of rows) {
      const forged = chained({ ...row, username: 'mira' }, before);
      await update(row.seq, forged);
      before = forged;
    }
    expect(await findingOf()).toEqual({ seq: 5, what: expect.stringContaining('sealed') });
  });

  it('finds a missing or changed seal', async () => {
    await world.storage.update(auditHeads, {}, { state: 'x' });
    expect(await findingOf()).toEqual({ seq: 6, what: expect.stringContaining('cannot be decrypted') });
    await world.storage.remove(auditHeads, {});
    expect(await findingOf()).toEqual({ seq: 6, what: expect.stringContaining('seal is missing') });
  });

  it('entries missing after a remembered one', async () => {
    const anchor = (await world.verify()).last;
    const [old] = await world.storage.find(auditHeads);
    await world.append('f');
    expect(await findingOf({ anchor })).toBeNull();
    expect(await findingOf({ anchor: { ...anchor, hash: 'f'.repeat(64) } })).toMatchObject({ seq: 5 });
    const later = (await world.verify()).last;
    // Entry and seal as they were once: nothing in the database tells.
    await world.storage.remove(auditEntries, { seq: 6 });
    await world.storage.update(auditHeads, {}, { state: old?.state });
    expect(await findingOf()).toBeNull();
    expect(await findingOf({ anchor: later })).toEqual({
      seq: 6,
      what: expect.stringContaining('entry 6 was recorded'),
    });
  });
});

describe('after a change of the trail', () => {
  beforeEach(five);

  it.each([
    ['the seal was exchanged', () => world.storage.update(auditHeads, {}, { state: 'x' })],
    ['the seal was removed', () => world.storage.remove(auditHeads, {})],
    [
      'an entry was put in behind',
      async () => {
        const last = (await world.rows()).at(-1) as ChainedEntry;
        await world.storage.insert(auditEntries, chained(fact('forged'), last));
      },
    ],
  ])('continues, reports it and stays invalid: %s', async (_what, harm) => {
    await harm();
    const { problem } = await world.append('f');
    expect(problem).not.toBeNull();
    const notice = (await world.rows()).find(({ action }) => action === 'auditBroken');
    expect(notice?.note).toContain(problem);
    expect(await findingOf()).toMatchObject({ seq: notice?.seq });
    expect((await world.append('g')).problem).toBeNull();
    const from = (notice?.seq ?? 0) + 1;
    expect(await world.verify({ from })).toMatchObject({ entries: 2, finding: null });
  });

  it('does not close a gap by appending entries', async () => {
    await world.storage.remove(auditEntries, { seq: { gt: 3 } });
    await world.append('f');
    expect(await findingOf()).toMatchObject({ seq: 4, what: expect.stringContaining('missing') });
  });
});
