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
const tag = 'Moving in and out';
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
      'One document for POST /api/settings/import. Passphrases, key files, service URLs and secret parameters are ' +
      'left out; texts of scripts are in it. Users, archives and jobs are not.',
    responses: { 200: settingsExported, ...failures },
    metadata: admin,
  },
  exportSealedSettings: {
    method: 'POST',
    path: '/api/settings/export',
    summary: 'Export all settings with sealed secrets',
    description: 'The secrets are encrypted with the passphrase (scrypt, AES-256-GCM).',
    body: settingsSealing.openapi({ example: { seal_passphrase: 'correct horse battery staple' } }),
    responses: { 200: settingsExported, ...failures },
    metadata: { ...confirmed, audit: 'secret' } satisfies RouteMetadata,
  },
  importSettings: {
    method: 'POST',
    path: '/api/settings/import',
    summary: 'Import a document of settings, or plan it',
    description:
      'In short transactions: after a crash, import the same document again. Objects that are here already are matched by the ids of the backup tool and by names, ' +
      "and changed where they differ; nothing is deleted. What can't be imported is left out by name. Repositories " +
      'are not opened: their identity is compared the first time. Importing again changes nothing. ' +
      unlessPlanned,
    body: settingsImport,
    responses: { 200: settingsImported, ...failures },
    metadata: planned,
  },
  importBorgmatic: {
    method: 'POST',
    path: '/api/import/borgmatic',
    summary: 'Import configuration files of borgmatic, or plan it',
    description:
      'For borgmatic 1.7 to 2.1, or for another tool with `importer`. Says line by line what became of each option. Each file is imported in one ' +
      'transaction. Nothing is read from this machine: texts that a file refers to are listed in `needs`. 400 ' +
      'while one is missing, except for a `dry_run`. Importing again changes nothing. ' +
      unlessPlanned,
    body: borgmaticImport,
    responses: { 200: borgmaticImported, ...failures },
    metadata: planned,
  },
  exportBorgmatic: {
    method: 'GET',
    path: '/api/export/borgmatic',
    summary: 'Export repositories as configuration files of borgmatic 2',
    description: 'One file for each repository. Places of secrets are named in it instead of the secrets.',
    query: z.object({ repository_id: field.repositoryIdText.optional(), importer: importerId }),
    responses: { 200: borgmaticExported, ...failures },
    metadata: admin,
  },
  exportBorgmaticWith: {
    method: 'POST',
    path: '/api/export/borgmatic',
    summary: 'Export several repositories for borgmatic, with secrets if asked',
    description:
      'As GET does. With `secrets`, the files contain passphrases and service URLs: keep them private.',
    body: borgmaticExportInput.openapi({ example: { repository_ids: [1], secrets: true } }),
    responses: { 200: borgmaticExported, ...failures },
    metadata: { ...confirmed, audit: 'secret', reveals: 'stored_secrets' } satisfies RouteMetadata,
  },
});
