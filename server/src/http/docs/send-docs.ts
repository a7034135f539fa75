import type { Response } from 'express';

/** Sends a page or an asset directly, with headers that ts-rest would overwrite. Never settles. */
export function sendContent(
  res: Response,
  { content, contentType, headers = {} }: { content: string | Buffer; contentType: string; headers?: object },
): Promise<never> {
  res.status(200);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader('Content-Type', contentType);
  res.end(content);
  return new Promise<never>(() => {});
}
