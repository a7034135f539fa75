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
    summary: 'Show which cache is in use, and what it holds',
    description: 'An external store is asked first. Hits and misses are those of this process.',
    responses: { 200: cacheStats, ...failures },
    metadata: anyUser,
  },
  clear: {
    method: 'POST',
    path: '/api/cache/clear',
    summary: 'Clear the whole cache',
    description: 'Archives stay: the next look into one builds its listing again.',
    body: z.unknown().optional(),
    responses: { 200: cacheCleared, ...failures },
    metadata: { ...anyUser, creates: 'nothing' } satisfies RouteMetadata,
  },
  clearRepository: {
    method: 'POST',
    path: '/api/cache/clear-repository',
    summary: 'Clear the cached listings of one repository',
    description: 'For a repository that was changed by another program.',
    body: z.object({ repo_id: id }),
    responses: { 200: cacheCleared, ...failures },
    metadata: { ...anyUser, creates: 'nothing' } satisfies RouteMetadata,
  },
  settings: {
    method: 'GET',
    path: '/api/settings/cache',
    summary: 'Show the settings of the cache',
    description: 'What counts now, and which of it was set here rather than in the environment.',
    responses: { 200: cacheSettingsView, 304: c.noBody(), ...failures },
    headers: cacheable,
    metadata: { ...adminOnly, version: 'cache_settings' } satisfies RouteMetadata,
  },
  updateSettings: {
    method: 'PUT',
    path: '/api/settings/cache',
    summary: 'Change the settings of the cache, at once and lasting',
    description: 'Fields that are not given stay as they are; null takes back what was set here.',
    body: cacheSettingsInput,
    responses: { 200: cacheSettingsView, ...failures, ...outdated },
    headers: conditional,
    metadata: { cost: 'high', ...adminOnly, version: 'cache_settings' } satisfies RouteMetadata,
  },
});
