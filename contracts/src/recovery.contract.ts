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
      'Per repository its place, encryption, passphrase, exported key, host key, and the commands of plain borg that ' +
      'bring its files back. Passphrases and keys are masked unless `secrets` is true; a read-only token always gets ' +
      'them masked. With secrets, each repository is asked for its key, for 20 seconds at most; one that does not ' +
      'answer is on the sheet with the reason.',
    query: z.object({
      format: sheetFormat.default('pdf').openapi({ description: 'A4 pages, or the same as text or data.' }),
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
    summary: 'Download the recovery sheet, sealed with a passphrase',
    description:
      'The same file. With `seal_passphrase` it is encrypted in the format of age: `age -d` asks for the passphrase.',
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
    summary: 'Note that a user saved a sheet for one repository',
    description:
      'As the wizard of the web console makes one. It counts until its place or passphrase changes.',
    body: savedSheet,
    responses: { 200: done, ...failures },
    metadata: { access: { who: 'admin' }, creates: 'nothing', tag } satisfies RouteMetadata,
  },
  sheetState: {
    method: 'GET',
    path: '/api/recovery-sheet/state',
    summary: 'Show whether the last recovery sheet still says all that is needed',
    description:
      'Compares it with the repositories, their passphrases, keys and places, and the pinned host keys. Only sheets ' +
      'with secrets count.',
    responses: { 200: sheetState, ...always },
    metadata: { access: { who: 'admin' }, tag } satisfies RouteMetadata,
  },
});
