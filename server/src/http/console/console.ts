import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { notFound, say } from '@holdfast/core/server';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { contentType } from 'mime-types';
import { consoleHeaders } from './console-headers.js';
import { assetAt, fileAt, isDocs, mayBePage } from './console-paths.js';

/** Files that the build also wrote compressed, the smallest first. */
const encodings = { br: '.br', gzip: '.gz' };

/**
 * Serves the web console from its folder: the page for paths opened by a browser, its files, and below `/docs/` the
 * documentation. Other requests go to the API. Null: the console is not installed.
 */
export const webConsole =
  (folder: string | null): RequestHandler =>
  (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const asset = assetAt(req.path);
    if (asset !== null && folder !== null) return sendAsset(folder, asset, { req, res, next });
    answer(folder, req, res).then((isDone) => isDone || next(), next);
  };

/** Resolves to whether it has answered. Rejects with AppError `not_found` where the page is missing. */
async function answer(folder: string | null, req: Request, res: Response): Promise<boolean> {
  if (isDocs(req.path)) {
    res.redirect(`${req.baseUrl}/docs/index.html`);
    return true;
  }
  const name = fileAt(req.path);
  const file = name && (await read(folder, name));
  if (name && file) return sendContent(req, res, { name, content: file });
  if (!isNavigation(req)) return false;
  const page = await read(folder, 'index.html');
  if (page === null) throw missing();
  // The page is at any depth, and below BASE_PATH.
  const content = page.toString('utf8').replace(/ (src|href)="\.\//g, ` $1="${req.baseUrl}/`);
  res.vary('Accept');
  return sendContent(req, res, { name: 'index.html', content: Buffer.from(content) });
}

/** Programs take anything, or want JSON; browsers name HTML. */
const isNavigation = (req: Request): boolean =>
  req.path === '/' || (mayBePage(req.path) && req.accepts(['application/json', 'text/html']) === 'text/html');

const missing = () =>
  notFound(
    say`console_missing: The web console is missing from this installation. Run npm run build in the source folder, or install the package @holdfast/console again. The API works without it: see /api/docs.`,
  );

/** Read each time: it is small, rarely asked for, and may just have been built again. */
const read = async (folder: string | null, name: string): Promise<Buffer | null> =>
  folder === null ? null : readFile(join(folder, name)).catch(() => null);

function sendContent(
  req: Request,
  res: Response,
  { name, content }: { name: string; content: Buffer },
): true {
  const tag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  res.set({ ...consoleHeaders, 'Cache-Control': 'no-cache', ETag: tag });
  if (isKnown(req.get('if-none-match'), tag)) res.status(304).end();
  else res.set('Content-Type', typeOf(name)).send(content);
  return true;
}

/** Proxies that compress make a tag weak. */
const isKnown = (header = '', tag: string): boolean =>
  header.split(',').some((given) => ['*', tag, `W/${tag}`].includes(given.trim()));

const typeOf = (name: string): string => contentType(extname(name)) || 'application/octet-stream';

function sendAsset(
  folder: string,
  name: string,
  { req, res, next }: { req: Request; res: Response; next: NextFunction },
): void {
  res.vary('Accept-Encoding');
  const accepted = Object.entries(encodings).filter(([encoding]) => req.acceptsEncodings(encoding));
  const send = ([[encoding, ending] = ['', ''], ...others]: string[][]): void => {
    const headers = {
      ...consoleHeaders,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Type': typeOf(name),
      ETag: `"${name}${ending}"`,
      ...(encoding === '' ? {} : { 'Content-Encoding': encoding }),
    };
    const own = { acceptRanges: false, cacheControl: false, lastModified: false, headers };
    res.sendFile(`${name}${ending}`, { root: folder, ...own }, (error) => {
      if (!error || res.headersSent || res.destroyed) return;
      if (encoding === '') next();
      else send(others);
    });
  };
  send(accepted);
}
