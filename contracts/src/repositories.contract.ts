import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { cacheable, conditional, done, failures, outdated, type RouteMetadata, retryable } from './common.js';
import * as field from './schemas/fields.js';
import {
  identityAcceptance,
  identityAccepted,
  newPassphrase,
  newRepository,
  repositoryChanges,
  repositoryTested,
  repositoryToImport,
  repositoryView,
  repositoryWritten,
  switchedOff,
} from './schemas/repository.js';

const c = initContract();
const tag = 'Repositories';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const confirmed = { access: { who: 'admin', confirm: 'always' }, tag } satisfies RouteMetadata;
/** What runs on a host as part of a backup. */
const codeConfirmed = {
  access: {
    who: 'admin',
    confirm: 'sometimes',
    confirmFor: ['pre_backup_script', 'post_backup_script', 'custom_flags', 'remote_path'],
  },
  tag,
} satisfies RouteMetadata;
const example = {
  name: 'Home',
  path: '/backups/home',
  passphrase: 'a long passphrase',
  source_directories: ['/home'],
};

export const repositoriesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/repositories/',
    summary: 'List the repositories',
    description: 'All repositories, with the known facts about their archives.',
    responses: {
      200: z.object({ success: z.literal(true), repositories: z.array(repositoryView) }),
      ...failures,
    },
    metadata: anyUser,
  },
  create: {
    method: 'POST',
    path: '/api/repositories/',
    summary: 'Create a new repository and register it',
    description:
      'Missing parent folders are created. 409 if a repository already exists: register it with POST ' +
      '/api/repositories/import. A browser session must confirm the password first with hooks, ' +
      '`custom_flags` or `remote_path`.',
    body: newRepository.passthrough().openapi({ example: { ...example, exclude_patterns: ['*.tmp'] } }),
    responses: { 201: repositoryWritten, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...codeConfirmed, creates: 'resource' } satisfies RouteMetadata,
  },
  import: {
    method: 'POST',
    path: '/api/repositories/import',
    summary: 'Register an existing repository',
    description:
      'It is opened first, so a wrong passphrase or a missing key file is reported immediately. A browser session must confirm the password first with hooks, `custom_flags` or `remote_path`.',
    body: repositoryToImport.passthrough().openapi({ example }),
    responses: { 201: repositoryWritten, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...codeConfirmed, creates: 'resource' } satisfies RouteMetadata,
  },
  get: {
    method: 'GET',
    path: '/api/repositories/:repo_id',
    summary: 'Show one repository',
    description: 'Its settings, and the known facts about its archives. The passphrase is never shown.',
    pathParams: field.ofRepository,
    responses: {
      200: z.object({ success: z.literal(true), repository: repositoryView }),
      304: c.noBody(),
      ...failures,
    },
    headers: cacheable,
    metadata: { ...anyUser, version: 'repository' } satisfies RouteMetadata,
  },
  update: {
    method: 'PUT',
    path: '/api/repositories/:repo_id',
    summary: 'Change the settings of a repository',
    description:
      'Encryption and passphrase cannot be changed here. A new path must contain the same repository.',
    pathParams: field.ofRepository,
    body: repositoryChanges
      .passthrough()
      .openapi({ example: { compression: 'zstd,3', freshness_hours: 26 } }),
    responses: { 200: repositoryWritten, ...failures, ...outdated },
    headers: conditional,
    metadata: { cost: 'high', ...confirmed, version: 'repository' } satisfies RouteMetadata,
  },
  delete: {
    method: 'DELETE',
    path: '/api/repositories/:repo_id',
    summary: 'Remove a repository from Holdfast; its data is not deleted',
    description:
      'Its past jobs are preserved. Rejected while one of its jobs is pending or running. To undo this, ' +
      'import it again: it gets back its id, jobs, statistics and schedules.',
    pathParams: field.ofRepository,
    body: c.noBody(),
    responses: { 200: done.extend({ switched_off: switchedOff }), ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'repository' } satisfies RouteMetadata,
  },
  setPassphrase: {
    method: 'PUT',
    path: '/api/repositories/:repo_id/passphrase',
    summary: 'Store a different passphrase for a repository',
    description:
      'For a passphrase that was changed outside Holdfast. It is tested first, and stored only if it opens ' +
      'the repository.',
    pathParams: field.ofRepository,
    body: newPassphrase,
    responses: { 200: repositoryWritten, ...failures, ...outdated },
    headers: conditional,
    metadata: { cost: 'high', ...confirmed, version: 'repository' } satisfies RouteMetadata,
  },
  test: {
    method: 'POST',
    path: '/api/repositories/:repo_id/test',
    summary: 'Test whether a repository can be opened',
    description:
      'Works while jobs run. A repository that cannot be opened is not an HTTP error: see `success` and ' +
      '`reason`.',
    pathParams: field.ofRepository,
    body: c.noBody(),
    responses: { 200: repositoryTested, ...failures },
    metadata: {
      cost: 'high',
      access: { who: 'any', readOnlyTokens: true },
      tag,
      creates: 'nothing',
    } satisfies RouteMetadata,
  },
  acceptIdentity: {
    method: 'POST',
    path: '/api/repositories/:repo_id/accept-identity',
    summary: 'Accept a different repository at the path of a registered one',
    description:
      'Until you accept a changed id or encryption, the repository is not read, written or deleted from. ' +
      'Afterwards its archives replace the known ones. Rejected if nothing differs, or while a job is pending ' +
      'or running.',
    pathParams: field.ofRepository,
    body: identityAcceptance,
    responses: { 200: identityAccepted, ...failures },
    metadata: { cost: 'high', ...confirmed, creates: 'nothing' } satisfies RouteMetadata,
  },
  uploadKeyFile: {
    method: 'POST',
    path: '/api/repositories/:repo_id/keyfile',
    summary: 'Upload the key file of a repository with keyfile encryption',
    description: 'It is tested immediately. A key that does not open the repository is rejected.',
    pathParams: field.ofRepository,
    contentType: 'multipart/form-data',
    body: z
      .object({
        keyfile: z.unknown().openapi({ type: 'string', format: 'binary', description: 'At most 64 KB.' }),
      })
      .openapi({ required: ['keyfile'] }),
    responses: {
      200: done.extend({ keyfile_name: z.string().openapi({ example: 'repository-1.key' }) }),
      ...failures,
    },
    metadata: {
      cost: 'high',
      ...confirmed,
      upload: { part: 'keyfile' },
      creates: 'nothing',
    } satisfies RouteMetadata,
  },
  downloadKeyFile: {
    method: 'GET',
    path: '/api/repositories/:repo_id/keyfile',
    summary: 'Download the exported key',
    description: 'For every encryption mode with a key. Keep it safe.',
    pathParams: field.ofRepository,
    responses: { 200: c.otherResponse({ contentType: 'text/plain', body: z.string() }), ...failures },
    metadata: {
      cost: 'high',
      tag,
      // It opens the repository: what the masked recovery sheet hides from such tokens.
      access: { who: 'admin', confirm: 'always', readOnlyTokens: false },
      download: { contentType: 'text/plain' },
      audit: 'secret',
      reveals: 'repository_key',
    } satisfies RouteMetadata,
  },
});
