import { pinReason } from '@holdfast/contracts';
import { z } from 'zod';
import { pins as table, writePin } from '../../../../backup/repositories/index.js';
import { isoTime } from '../../../../foundation/kernel/index.js';
import { ownLeftOut, repositoryOf } from '../references.js';
import { type Section, section, type Writing } from '../section.js';

const toolId = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');
const time = z.string().datetime();
const shape = z
  .object({
    repository_id: toolId,
    archive_id: toolId,
    reason: pinReason,
    until: time.nullable().default(null),
    by: z.string().max(255),
    since: time,
  })
  .strict();

type Pin = z.infer<typeof shape>;

async function write({ needs: { storage, clock } }: Writing, pin: Pin): Promise<void> {
  const { tool_id } = await repositoryOf(storage, pin.repository_id);
  const row = {
    repository_tool_id: tool_id,
    archive_tool_id: pin.archive_id,
    reason: pin.reason,
    until: pin.until === null ? null : Date.parse(pin.until),
    created_by: pin.by,
    created_at: Date.parse(pin.since),
  };
  await writePin(storage, row, clock.now());
}

/** Pins of archives, by the ids of the tool: the archives themselves need not be known yet. */
export const pins = section<Pin>({
  name: 'pins',
  shape: shape as unknown as Section<Pin>['shape'],
  secrets: [],
  fixed: ['repository_id', 'archive_id'],
  key: ({ repository_id, archive_id }) => `${repository_id} ${archive_id}`,
  title: ({ reason }) => reason,
  read: async ({ storage }) => {
    const known = new Set((await ownLeftOut(storage)).map(({ tool_id }) => tool_id));
    const rows = (await storage.find(table)).filter((row) => known.has(row.repository_tool_id));
    return rows.map((row) => ({
      id: row.id,
      value: {
        repository_id: row.repository_tool_id,
        archive_id: row.archive_tool_id,
        reason: row.reason,
        until: isoTime(row.until),
        by: row.created_by,
        since: isoTime(row.created_at),
      },
    }));
  },
  create: write,
  change: (at, existing, value) => write(at, { ...existing.value, ...value }),
});
