import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { notFound, say } from '@holdfast/core/server';
import { ownAssets } from './pages.js';

/** Files of libraries, compressed, as `scripts/viewers.mjs` writes them. */
const viewers = join(createRequire(import.meta.url).resolve('@holdfast/server/package.json'), '../viewers');
const libraryAssets = ['favicon-32x32.png', 'swagger-ui.css', 'swagger-ui-bundle.js', 'redoc.standalone.js'];

const contentTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
};

/** The reference page's footer shows its maker's logo, which the library would fetch from another host. */
const foreignLogo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const ownLogo = (base: string) => `${base}/api/docs/assets/favicon-32x32.png`;

export interface Asset {
  content: Buffer;
  contentType: string;
}

/** A script, style or image of the documentation pages, published below `base`. AppError `not_found`. */
export async function readAsset(name: string, base: string): Promise<Asset> {
  const contentType = contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  const own = Object.hasOwn(ownAssets, name) ? ownAssets[name] : undefined;
  if (own !== undefined) return { content: Buffer.from(own(base)), contentType };
  if (!libraryAssets.includes(name))
    throw notFound(say`documentation_file_unknown: There is no such file in the documentation.`);
  const content = await promisify(gunzip)(await readFile(join(viewers, `${name}.gz`)));
  return { content: name.startsWith('redoc') ? withoutForeignLogo(content, base) : content, contentType };
}

const withoutForeignLogo = (content: Buffer, base: string) =>
  Buffer.from(content.toString('utf8').replaceAll(foreignLogo, ownLogo(base)), 'utf8');
