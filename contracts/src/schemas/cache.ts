import { z } from 'zod';
import { message } from '../common.js';
import * as field from './fields.js';

const lifetime = z.number().int().openapi({ example: 7200 });
const sizeLimit = z.number().int().openapi({ example: 2048 });

export const cacheStats = z.object({
  backend: z
    .enum(['redis', 'plugin', 'in-memory'])
    .openapi({ description: 'The cache that is currently in use.' }),
  available: z.boolean().openapi({ example: true }),
  connection_type: z.enum(['external_url', 'local', 'in-memory']),
  connection_info: z.string().openapi({ example: 'redis://:***@cache:6379/0' }),
  hits: z.number().int().openapi({ example: 390 }),
  misses: z.number().int().openapi({ example: 10 }),
  /** Percent. */
  hit_rate: z.number().min(0).max(100).openapi({ example: 97.5 }),
  size_bytes: z.number().int().openapi({ example: 1_204_117 }),
  entry_count: z.number().int(),
  ttl_seconds: lifetime,
  max_size_mb: sizeLimit,
  redis_fallback: z.boolean().openapi({
    description: 'True while an external cache is configured but the in-memory cache is used instead.',
  }),
  problem: z.string().nullable().openapi({ description: 'Why the external cache is not in use.' }),
});

export const cacheCleared = z.object({
  success: z.literal(true),
  cleared_count: z.number().int(),
  message,
});

/** Null: use the value from the environment. */
export const cacheSettingsInput = z.object({
  url: z.string().trim().max(2048).nullable().optional().openapi({
    example: 'redis://:password@cache:6379/0',
    description: 'URL of an external cache; empty for none. If it cannot be reached, nothing is changed.',
  }),
  enabled: z.boolean().nullable().optional(),
  ttl_seconds: z.number().int().min(60).max(604_800).nullable().optional(),
  max_size_mb: z.number().int().min(1).max(1_048_576).nullable().optional(),
  warm_after_backup: z.boolean().nullable().optional(),
});

export const cacheSettingsView = z.object({
  success: z.literal(true),
  settings: z.object({
    url: z
      .string()
      .nullable()
      .openapi({ description: 'Without the password.', example: 'redis://cache:6379/0' }),
    enabled: field.enabled,
    ttl_seconds: lifetime,
    max_size_mb: sizeLimit,
    warm_after_backup: z.boolean(),
  }),
  overridden: z
    .array(cacheSettingsInput.keyof())
    .openapi({ description: 'Settings that were changed here and override the environment.' }),
});

export type CacheStats = z.infer<typeof cacheStats>;
export type CacheCleared = z.infer<typeof cacheCleared>;
export type CacheSettingsInput = z.infer<typeof cacheSettingsInput>;
export type CacheSettingsView = z.infer<typeof cacheSettingsView>;
