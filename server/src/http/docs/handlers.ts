import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { sendContent } from './send-docs.js';

/** The documentation is loaded with its first request: most processes never serve it. */
export const sendDocsPage = async (res: Response): Promise<never> => {
  const { docsPage, pagePolicy } = await import('./pages.js');
  return sendPage(res, docsPage(res.req.baseUrl), pagePolicy);
};

export const sendRedocPage = async (res: Response): Promise<never> => {
  const { redocPage, pagePolicy } = await import('./pages.js');
  return sendPage(res, redocPage(res.req.baseUrl), pagePolicy);
};

export const sendAsset = async (res: Response, name: string): Promise<never> => {
  const { readAsset } = await import('./assets.js');
  return sendContent(res, {
    ...(await readAsset(name, res.req.baseUrl)),
    headers: { 'Cache-Control': 'public, max-age=3600' },
  });
};

export const openApiDocument = async ({ baseUrl }: Request): Promise<Record<string, unknown>> => {
  // It takes tens of milliseconds to load; then others are answered.
  await import('@ts-rest/open-api');
  await nextTurn();
  return (await import('./openapi.js')).openApiDocument(baseUrl);
};

const sendPage = (res: Response, content: string, policy: string) =>
  sendContent(res, {
    content,
    contentType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': policy },
  });
