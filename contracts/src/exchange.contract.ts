import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, type RouteMetadata } from './common.js';
import {
  borgmaticExported,
  borgmaticExportInput,
  borgmaticImport,
  borgmaticImported,
  importerId,
  settingsExported,
  settingsImport,
  settingsImported,
  settingsSealing,
} from './schemas/exchange.js';
import * as field from './schemas/fields.js';

const c = initContract();
const tag = 'Export and import';
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const confirmed = {
  access: { who: 'admin', confirm: 'always' },
  tag,
  cost: 'high',
  creates: 'nothing',
} satisfies RouteMetadata;

/** A plan shows nothing that an administrator may not see, and changes nothing. */
const planned = {
  ...confirmed,
  access: { who: 'admin', confirm: 'sometimes' },
} satisfies RouteMetadata;
const unlessPlanned = 'A browser session must confirm the password first, except for a `dry_run`.';

export const exchangeContract = c.router({
  exportSettings: {
    method: 'GET',
    path: '/api/settings/export',
    summary: 'Export all settings without secrets',
    description:
      'One document for POST /api/settings/import. It includes the text of scripts, but no passphrases, ' +
      'key files, service URLs, secret parameters, users, archives or jobs.',
    responses: { 200: settingsExported, ...failures },
    metadata: admin,
  },
  exportSealedSettings: {
    method: 'POST',
    path: '/api/settings/export',
    summary: 'Export all settings with encrypted secrets',
    description: 'The secrets are encrypted with the passphrase (scrypt, AES-256-GCM).',
    body: settingsSealing.openapi({ example: { seal_passphrase: 'correct horse battery staple' } }),
    responses: { 200: settingsExported, ...failures },
    metadata: { ...confirmed, audit: 'secret' } satisfies RouteMetadata,
  },
  importSettings: {
    method: 'POST',
    path: '/api/settings/import',
    summary: 'Import a settings document, or show what it would change',
    description:
      'In short transactions: after a crash, import the same document again. Existing objects are matched ' +
      "by Borg ids and by names, and changed where they differ; nothing is deleted. Objects that can't be " +
      'imported are skipped and listed. Repositories are not opened: their identity is compared on first ' +
      'use. Importing again changes nothing. ' +
      unlessPlanned,
    body: settingsImport,
    responses: { 200: settingsImported, ...failures },
    metadata: planned,
  },
  importBorgmatic: {
    method: 'POST',
    path: '/api/import/borgmatic',
    summary: 'Import borgmatic configuration files, or show what they would change',
    description:
      'For borgmatic 1.7 to 2.1, or for another program with `importer`. Reports line by line how each ' +
      'option was handled. Each file is imported in one transaction. Nothing is read from this server: ' +
      'texts that a file refers to are listed in `needs`. 400 while one is missing, except for a ' +
      '`dry_run`. Importing again changes nothing. ' +
      unlessPlanned,
    body: borgmaticImport,
    responses: { 200: borgmaticImported, ...failures },
    metadata: planned,
  },
  exportBorgmatic: {
    method: 'GET',
    path: '/api/export/borgmatic',
    summary: 'Export repositories as configuration files of borgmatic 2',
    description:
      'One file for each repository. It names the files with the secrets instead of containing them.',
    query: z.object({ repository_id: field.repositoryIdText.optional(), importer: importerId }),
    responses: { 200: borgmaticExported, ...failures },
    metadata: admin,
  },
  exportBorgmaticWith: {
    method: 'POST',
    path: '/api/export/borgmatic',
    summary: 'Export several repositories for borgmatic, optionally with secrets',
    description:
      'Like GET. With `secrets`, the files contain passphrases and service URLs: keep them private.',
    body: borgmaticExportInput.openapi({ example: { repository_ids: [1], secrets: true } }),
    responses: { 200: borgmaticExported, ...failures },
    metadata: { ...confirmed, audit: 'secret', reveals: 'stored_secrets' } satisfies RouteMetadata,
  },
});
