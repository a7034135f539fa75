import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { cacheable, conditional, failures, id, outdated, type RouteMetadata } from './common.js';
import { cacheCleared, cacheSettingsInput, cacheSettingsView, cacheStats } from './schemas/cache.js';

const c = initContract();
const tag = 'Cache';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const adminOnly = { access: { who: 'admin' }, tag } satisfies RouteMetadata;

export const cacheContract = c.router({
  stats: {
    method: 'GET',
    path: '/api/cache/stats',
    summary: 'Show which cache is in use and its statistics',
    description: 'Checks an external cache first. Hits and misses are those of this process.',
    responses: { 200: cacheStats, ...failures },
    metadata: anyUser,
  },
  clear: {
    method: 'POST',
    path: '/api/cache/clear',
    summary: 'Clear the whole cache',
    description: 'Archives are not affected: the next browse builds the listing again.',
    body: z.unknown().optional(),
    responses: { 200: cacheCleared, ...failures },
    metadata: { ...anyUser, creates: 'nothing' } satisfies RouteMetadata,
  },
  clearRepository: {
    method: 'POST',
    path: '/api/cache/clear-repository',
    summary: 'Clear the cached listings of one repository',
    description: 'For a repository that another program has changed.',
    body: z.object({ repo_id: id }),
    responses: { 200: cacheCleared, ...failures },
    metadata: { ...anyUser, creates: 'nothing' } satisfies RouteMetadata,
  },
  settings: {
    method: 'GET',
    path: '/api/settings/cache',
    summary: 'Show the cache settings',
    description: 'Shows the current values, and which of them were set here instead of in the environment.',
    responses: { 200: cacheSettingsView, 304: c.noBody(), ...failures },
    headers: cacheable,
    metadata: { ...adminOnly, version: 'cache_settings' } satisfies RouteMetadata,
  },
  updateSettings: {
    method: 'PUT',
    path: '/api/settings/cache',
    summary: 'Change the cache settings, immediately and permanently',
    description: 'Absent fields are not changed; null restores the value from the environment.',
    body: cacheSettingsInput,
    responses: { 200: cacheSettingsView, ...failures, ...outdated },
    headers: conditional,
    metadata: {
      cost: 'high',
      access: { who: 'admin', confirm: 'always' },
      tag,
      version: 'cache_settings',
    } satisfies RouteMetadata,
  },
});
