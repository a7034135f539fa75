import type { Response } from 'express';
import { sendContent } from './send-docs.js';

/** The documentation is loaded with its first request: most processes never serve it. */
export const sendDocsPage = async (res: Response): Promise<never> => {
  const { docsPage, pagePolicy } = await import('./pages.js');
  return sendPage(res, docsPage, pagePolicy);
};

export const sendRedocPage = async (res: Response): Promise<never> => {
  const { redocPage, pagePolicy } = await import('./pages.js');
  return sendPage(res, redocPage, pagePolicy);
};

export const sendAsset = async (res: Response, name: string): Promise<never> => {
  const { readAsset } = await import('./assets.js');
  return sendContent(res, {
    ...(await readAsset(name)),
    headers: { 'Cache-Control': 'public, max-age=3600' },
  });
};

export const openApiDocument = async (): Promise<Record<string, unknown>> =>
  (await import('./openapi.js')).openApiDocument();

const sendPage = (res: Response, content: string, policy: string) =>
  sendContent(res, {
    content,
    contentType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': policy },
  });
