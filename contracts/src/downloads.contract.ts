import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, type RouteMetadata, timestamp } from './common.js';

const c = initContract();

const { 404: _notFound, 409: _conflict, ...always } = failures;

export const downloadTicketInput = z.object({
  url: z.string().min(1, 'must not be empty').max(100_000, 'must have at most 100000 characters').openapi({
    description: 'Path and query of a download endpoint that accepts tickets, starting with `/api/`.',
    example: '/api/backup/logs/7/download',
  }),
  file_paths: z
    .array(z.string().min(1).max(65_536))
    .min(1)
    .max(1000, 'must have at most 1000 entries')
    .refine((all) => all.join('').length <= 200_000, 'must have at most 200000 characters in all')
    .optional()
    .openapi({
      description:
        'For /api/archives/download: entries to download, kept with the ticket. Leave `file_path` out of `url` then.',
      example: ['home/ann/letters', 'home/ann/photos/2026'],
    }),
});

export const downloadTicketView = z.object({
  success: z.literal(true),
  ticket: z.string().openapi({ example: 'hft_3Jt0c1mJvR8VbQ2s' }),
  url: z.string().openapi({
    description: 'The link: path and query, including the ticket.',
    example: '/api/backup/logs/7/download?ticket=hft_…',
  }),
  expires_at: timestamp,
});
export type DownloadTicketView = z.infer<typeof downloadTicketView>;

export const downloadsContract = c.router({
  createTicket: {
    method: 'POST',
    path: '/api/download-tickets',
    summary: 'Get a single-use download link that is valid for one minute',
    description:
      'For browsers: the link contains no access token. It expires when it is used, or with the access token of ' +
      'this request.',
    body: downloadTicketInput,
    responses: { 201: downloadTicketView, ...always },
    metadata: {
      access: { who: 'any', readOnlyTokens: true },
      creates: 'nothing',
      reveals: 'ticket',
      tag: 'Downloads',
    } satisfies RouteMetadata,
  },
});
