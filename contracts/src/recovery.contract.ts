import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { booleanText, done, failures, type RouteMetadata } from './common.js';
import { savedSheet, sheetFormat, sheetOrder, sheetState } from './schemas/recovery.js';

const c = initContract();
const { 404: _notFound, 409: _conflict, ...always } = failures;
const tag = 'Recovery';

export const recoveryContract = c.router({
  sheet: {
    method: 'GET',
    path: '/api/recovery-sheet',
    summary: 'Download the recovery sheet',
    description:
      'For each repository: its location, encryption, passphrase, exported key, host key, and the Borg ' +
      'commands that restore its files. Passphrases and keys are masked unless `secrets` is true; for a ' +
      'read-only token they are always masked. With secrets, the key of each repository is read, for at ' +
      'most 20 seconds; if that fails, the sheet gives the reason.',
    query: z.object({
      format: sheetFormat.default('pdf').openapi({
        description: '`pdf`: A4 pages. The others have the same content as text or data.',
      }),
      secrets: booleanText.openapi({ description: 'Shows passphrases and keys.' }),
    }),
    responses: {
      200: c.otherResponse({ contentType: 'application/octet-stream', body: z.unknown() }),
      ...always,
    },
    metadata: {
      access: { who: 'admin', confirm: 'always' },
      cost: 'high',
      download: { contentType: 'application/octet-stream' },
      audit: 'secret',
      reveals: 'recovery_sheet',
      tag,
    } satisfies RouteMetadata,
  },
  makeSheet: {
    method: 'POST',
    path: '/api/recovery-sheet',
    summary: 'Download the recovery sheet, encrypted with a passphrase',
    description:
      'The same file. With `seal_passphrase` it is encrypted in the age format: `age -d` asks for the ' +
      'passphrase.',
    body: sheetOrder,
    responses: {
      200: c.otherResponse({ contentType: 'application/octet-stream', body: z.unknown() }),
      ...always,
    },
    metadata: {
      access: { who: 'admin', confirm: 'always' },
      cost: 'high',
      creates: 'nothing',
      download: { contentType: 'application/octet-stream' },
      reveals: 'recovery_sheet',
      tag,
    } satisfies RouteMetadata,
  },
  noteSaved: {
    method: 'POST',
    path: '/api/recovery-sheet/saved',
    summary: 'Record that a user saved a sheet for one repository',
    description:
      'For example one from the wizard of the web console. It counts until the location or passphrase ' +
      'changes.',
    body: savedSheet,
    responses: { 200: done, ...failures },
    metadata: { access: { who: 'admin' }, creates: 'nothing', tag } satisfies RouteMetadata,
  },
  sheetState: {
    method: 'GET',
    path: '/api/recovery-sheet/state',
    summary: 'Show whether the last recovery sheet is up to date',
    description:
      'Compares it with the repositories, their passphrases, keys and locations, and the pinned host keys. ' +
      'Only sheets with secrets count.',
    responses: { 200: sheetState, ...always },
    metadata: { access: { who: 'admin' }, tag } satisfies RouteMetadata,
  },
});
