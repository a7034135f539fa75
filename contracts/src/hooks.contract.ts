import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  cacheable,
  conditional,
  failures,
  id,
  idText,
  message,
  outdated,
  type RouteMetadata,
  retryable,
} from './common.js';
import * as field from './schemas/fields.js';
import {
  adHocTest,
  attachmentChanges,
  attachmentView,
  newAttachment,
  newScript,
  scriptChanges,
  scriptDetails,
  scriptResult,
  scriptTest,
  scriptView,
} from './schemas/script.js';

const c = initContract();
const tag = 'Scripts';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const confirmed = { access: { who: 'admin', confirm: 'always' }, tag } satisfies RouteMetadata;
const itsId = z.object({ script_id: idText.openapi({ description: 'Id of the script.' }) });
const itsAttachment = field.ofRepository.extend({
  attachment_id: idText.openapi({ description: 'Id of the attachment.' }),
});
const success = z.literal(true);
const written = z.object({ success, id, attachment: attachmentView });

export const scriptsContract = c.router({
  list: {
    method: 'GET',
    path: '/api/scripts',
    summary: 'List the scripts, newest first',
    description:
      'Without their content. Default values of parameters are shown as `***` unless you are an administrator.',
    query: z.object({
      category: z
        .string()
        .max(100, 'must have at most 100 characters')
        .optional()
        .openapi({ description: 'Only scripts of this category.' }),
      search: z
        .string()
        .max(255, 'must have at most 255 characters')
        .optional()
        .openapi({ description: 'Part of the name or description.' }),
    }),
    responses: { 200: z.array(scriptView), ...failures },
    metadata: anyUser,
  },
  create: {
    method: 'POST',
    path: '/api/scripts',
    summary: 'Add a script to the library',
    description: 'It does not run until it is attached to a repository or used by a schedule.',
    body: newScript,
    responses: { 201: scriptDetails, ...failures },
    headers: retryable,
    metadata: { ...confirmed, creates: 'resource' } satisfies RouteMetadata,
  },
  testText: {
    method: 'POST',
    path: '/api/scripts/test',
    summary: 'Run a text as a script once, for at most 30 seconds',
    description: 'Runs on this server, as the service user. The script is not saved.',
    body: adHocTest,
    responses: { 200: scriptResult, ...failures },
    metadata: { cost: 'high', ...confirmed, creates: 'nothing' } satisfies RouteMetadata,
  },
  cleanUpOrphans: {
    method: 'POST',
    path: '/api/scripts/cleanup-orphans',
    summary: 'Remove attachments and execution records whose repository or script no longer exists',
    description: 'They remain if a removal was interrupted.',
    body: z.unknown().optional(),
    responses: {
      200: z.object({ success, cleaned_up: z.number().int(), message }),
      ...failures,
    },
    metadata: { ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
  get: {
    method: 'GET',
    path: '/api/scripts/:script_id',
    summary: 'Show a script with its content, where it is used, and its last runs',
    description:
      'Only administrators see the content and the default values of parameters; others see `***`. Values of ' +
      'password parameters are always shown as `***`.',
    pathParams: itsId,
    responses: { 200: scriptDetails, 304: c.noBody(), ...failures },
    headers: cacheable,
    metadata: { ...anyUser, version: 'script' } satisfies RouteMetadata,
  },
  update: {
    method: 'PUT',
    path: '/api/scripts/:script_id',
    summary: 'Change a script',
    description: 'Absent fields are not changed. Running backups keep the version that they started with.',
    pathParams: itsId,
    body: scriptChanges,
    responses: { 200: scriptDetails, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'script' } satisfies RouteMetadata,
  },
  delete: {
    method: 'DELETE',
    path: '/api/scripts/:script_id',
    summary: 'Remove an unused script',
    description: '409 if the script is in use; the error says where. Built-in templates cannot be removed.',
    pathParams: itsId,
    body: c.noBody(),
    responses: { 204: c.noBody(), ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'script' } satisfies RouteMetadata,
  },
  test: {
    method: 'POST',
    path: '/api/scripts/:script_id/test',
    summary: 'Run a script once and return its output',
    description: 'Runs on this server, as the service user. It is not recorded as an execution.',
    pathParams: itsId,
    body: scriptTest.nullish(),
    responses: { 200: scriptResult, ...failures },
    metadata: { cost: 'high', ...confirmed, creates: 'nothing' } satisfies RouteMetadata,
  },
  listAttachments: {
    method: 'GET',
    path: '/api/repositories/:repo_id/scripts',
    summary: 'List the scripts of a repository in execution order',
    description: 'Separate lists for before and after backups, each sorted by `execution_order`.',
    pathParams: field.ofRepository,
    responses: {
      200: z.object({ pre_backup: z.array(attachmentView), post_backup: z.array(attachmentView) }),
      ...failures,
    },
    metadata: anyUser,
  },
  attach: {
    method: 'POST',
    path: '/api/repositories/:repo_id/scripts',
    summary: 'Attach a script to a repository',
    description: 'It then replaces the script in the repository settings for that hook.',
    pathParams: field.ofRepository,
    body: newAttachment,
    responses: { 201: written, ...failures },
    headers: retryable,
    metadata: { ...confirmed, creates: 'resource' } satisfies RouteMetadata,
  },
  getAttachment: {
    method: 'GET',
    path: '/api/repositories/:repo_id/scripts/:attachment_id',
    summary: 'Show one script of a repository',
    description: 'With its run conditions and parameters. Secret values are masked.',
    pathParams: itsAttachment,
    responses: {
      200: z.object({ success: z.literal(true), attachment: attachmentView }),
      304: c.noBody(),
      ...failures,
    },
    headers: cacheable,
    metadata: { ...anyUser, version: 'attachment' } satisfies RouteMetadata,
  },
  updateAttachment: {
    method: 'PUT',
    path: '/api/repositories/:repo_id/scripts/:attachment_id',
    summary: 'Change how an attached script runs',
    description: 'Absent fields are not changed.',
    pathParams: itsAttachment,
    body: attachmentChanges,
    responses: { 200: written, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'attachment' } satisfies RouteMetadata,
  },
  detach: {
    method: 'DELETE',
    path: '/api/repositories/:repo_id/scripts/:attachment_id',
    summary: 'Detach a script from a repository',
    description: 'The script stays in the library.',
    pathParams: itsAttachment,
    body: c.noBody(),
    responses: { 204: c.noBody(), ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'attachment' } satisfies RouteMetadata,
  },
});
