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
});

export const downloadTicketView = z.object({
  success: z.literal(true),
  ticket: z.string(),
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
