import { StoreError } from '@holdfast/plugin-api';
import { expect, it } from 'vitest';
import type { SheetNeeds } from '../../src/migration/recovery/needs.js';
import { makeSheet } from '../../src/migration/recovery/sheet/make-sheet.js';
import { memoryStorage } from '../fakes/memory-storage.js';

it('makes the sheet when nothing can be written', async () => {
  const full = async () => {
    throw new StoreError('unavailable', 'database or disk is full');
  };
  const warned: string[] = [];
  const needs = {
    storage: { ...memoryStorage(), transaction: full },
    clock: { now: () => 0 },
    log: { warn: (message: string) => warned.push(message) },
    serverVersion: '1.0.0',
    settings: { installation: 'abc' },
  } as unknown as SheetNeeds;
  const { content } = await makeSheet(needs, null, { format: 'text', secrets: true });
  expect(Buffer.from(content).toString()).toContain('Recovery sheet');
  expect(warned).toHaveLength(1);
});
