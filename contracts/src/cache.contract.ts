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
    responses: { 200: cacheStats, ...failures },
    metadata: anyUser,
  },
  clear: {
    method: 'POST',
    path: '/api/cache/clear',
    summary: 'Clear the whole cache',
    body: z.unknown().optional(),
    responses: { 200: cacheCleared, ...failures },
    metadata: { ...anyUser, creates: 'nothing' } satisfies RouteMetadata,
  },
  clearRepository: {
    method: 'POST',
    path: '/api/cache/clear-repository',
    summary: 'Clear the cached listings of one repository',
    body: z.object({ repo_id: id }),
    responses: { 200: cacheCleared, ...failures },
    metadata: { ...anyUser, creates: 'nothing' } satisfies RouteMetadata,
  },
  settings: {
    method: 'GET',
    path: '/api/settings/cache',
    summary: 'Show the settings of the cache',
    responses: { 200: cacheSettingsView, 304: c.noBody(), ...failures },
    headers: cacheable,
    metadata: { ...adminOnly, version: 'cache_settings' } satisfies RouteMetadata,
  },
  updateSettings: {
    method: 'PUT',
    path: '/api/settings/cache',
    summary: 'Change the settings of the cache, at once and lasting',
    body: cacheSettingsInput,
    responses: { 200: cacheSettingsView, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...adminOnly, version: 'cache_settings' } satisfies RouteMetadata,
  },
});
