import { z } from 'zod';
import { id, timestamp } from '../common.js';
import { sentence } from './overview.js';

export const sheetFormat = z.enum(['pdf', 'text', 'json']);

export const sheetOrder = z.object({
  format: sheetFormat.default('pdf'),
  secrets: z.boolean().default(false).openapi({ description: 'Shows passphrases and keys.' }),
  seal_passphrase: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(1024, 'must have at most 1024 characters')
    .refine((text) => !/[\r\n\0]/.test(text), 'must be one line')
    .optional()
    .openapi({ description: 'Encrypts the file.', example: 'a long passphrase' }),
});

export const sheetState = z.object({
  success: z.literal(true),
  state: z.enum(['never', 'current', 'outdated']),
  made_at: timestamp.nullable().openapi({ description: 'Of the last sheet with secrets.' }),
  made_by: z.string().nullable().openapi({ description: 'Null: made on the command line, or not yet.' }),
  reason: sentence.nullable().openapi({ description: 'Why a new one is needed; null if it is up to date.' }),
});

export const savedSheet = z.object({
  repository_id: id.openapi({
    description: 'Its location and passphrase are on a sheet that the user saved.',
  }),
});

export type SheetOrder = z.infer<typeof sheetOrder>;
export type SheetState = z.infer<typeof sheetState>;
