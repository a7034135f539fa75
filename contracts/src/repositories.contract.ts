import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  cacheable,
  conditional,
  done,
  failures,
  idText,
  outdated,
  type RouteMetadata,
  retryable,
} from './common.js';
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
} from './schemas/repository.js';

const c = initContract();
const tag = 'Repositories';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const itsId = z.object({ repo_id: idText });

export const repositoriesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/repositories/',
    summary: 'List the repositories',
    description: 'All of them, with what is known of their archives.',
    responses: {
      200: z.object({ success: z.literal(true), repositories: z.array(repositoryView) }),
      ...failures,
    },
    metadata: anyUser,
  },
  create: {
    method: 'POST',
    path: '/api/repositories/',
    summary: 'Make a new repository and register it',
    description: 'Missing parent folders are made. A repository that exists already is imported instead.',
    body: newRepository.passthrough(),
    responses: { 201: repositoryWritten, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...admin, creates: 'resource' } satisfies RouteMetadata,
  },
  import: {
    method: 'POST',
    path: '/api/repositories/import',
    summary: 'Register a repository that exists already',
    description: 'It is opened first, so a wrong passphrase or a missing key file is told at once.',
    body: repositoryToImport.passthrough(),
    responses: { 201: repositoryWritten, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...admin, creates: 'resource' } satisfies RouteMetadata,
  },
  get: {
    method: 'GET',
    path: '/api/repositories/:repo_id',
    summary: 'Show one repository',
    description: 'Its settings, and what is known of its archives. A passphrase is never shown.',
    pathParams: itsId,
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
    summary: 'Change settings of a repository',
    description: 'Encryption and passphrase stay. A new path must hold the same repository.',
    pathParams: itsId,
    body: repositoryChanges.passthrough(),
    responses: { 200: repositoryWritten, ...failures, ...outdated },
    headers: conditional,
    metadata: { cost: 'high', ...admin, version: 'repository' } satisfies RouteMetadata,
  },
  delete: {
    method: 'DELETE',
    path: '/api/repositories/:repo_id',
    summary: 'Remove the registration; the repository itself stays',
    description:
      'Its jobs of the past stay. Refused while a job of it waits or runs; import it again to have it back.',
    pathParams: itsId,
    body: c.noBody(),
    responses: { 200: done, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...admin, version: 'repository' } satisfies RouteMetadata,
  },
  setPassphrase: {
    method: 'PUT',
    path: '/api/repositories/:repo_id/passphrase',
    summary: 'Store another passphrase of a repository',
    description:
      'For one that was changed outside of the service. It is tried first: one that does not open the repository is not ' +
      'stored.',
    pathParams: itsId,
    body: newPassphrase,
    responses: { 200: repositoryWritten, ...failures, ...outdated },
    headers: conditional,
    metadata: { cost: 'high', ...admin, version: 'repository' } satisfies RouteMetadata,
  },
  test: {
    method: 'POST',
    path: '/api/repositories/:repo_id/test',
    summary: 'Try whether a repository opens',
    description:
      'Reads beside whatever runs. The answer tells whether it worked: a repository that does not open is no error of the ' +
      'request.',
    pathParams: itsId,
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
    summary: 'Accept another repository at the place of a registered one',
    description:
      'While its id or encryption differs, nothing is written to it, deleted from it or read of it. Its archives take the ' +
      'place of those that were known. Refused when nothing differs, or while a job waits or runs.',
    pathParams: itsId,
    body: identityAcceptance,
    responses: { 200: identityAccepted, ...failures },
    metadata: { cost: 'high', ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
  uploadKeyFile: {
    method: 'POST',
    path: '/api/repositories/:repo_id/keyfile',
    summary: 'Give the key file of a repository with a keyfile encryption',
    description: 'It is tried at once: a key that does not open the repository is refused.',
    pathParams: itsId,
    contentType: 'multipart/form-data',
    body: z
      .object({
        keyfile: z.unknown().openapi({ type: 'string', format: 'binary', description: 'At most 64 KB.' }),
      })
      .openapi({ required: ['keyfile'] }),
    responses: { 200: done.extend({ keyfile_name: z.string() }), ...failures },
    metadata: {
      cost: 'high',
      ...admin,
      upload: { part: 'keyfile' },
      creates: 'nothing',
    } satisfies RouteMetadata,
  },
  downloadKeyFile: {
    method: 'GET',
    path: '/api/repositories/:repo_id/keyfile',
    summary: 'Download the exported key',
    description: 'For every encryption that has a key; keep it in a safe place.',
    pathParams: itsId,
    responses: { 200: c.otherResponse({ contentType: 'text/plain', body: z.string() }), ...failures },
    metadata: {
      cost: 'high',
      ...admin,
      download: { contentType: 'text/plain' },
      audit: 'secret',
      reveals: 'repository_key',
    } satisfies RouteMetadata,
  },
});
