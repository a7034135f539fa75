import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { compress } from '../packages/compress.mjs';
import { licencesOf } from '../packages/libraries.mjs';
import { deadLinks } from './links.mjs';
import { markdown, readPage, textOf } from './markdown.mjs';
import { searchEntries } from './search-entries.mjs';
import { sections } from './sections.mjs';
import { pageHtml } from './template.mjs';

const theme = fileURLToPath(new URL('theme', import.meta.url));
/** The colours of the console. */
const tokens = fileURLToPath(new URL('../../console/src/styles/tokens.css', import.meta.url));

/** The pages of the site: those below `docs/`, and others that the sidebar names. */
function sitePages(checkout) {
  const below = readdirSync(join(checkout, 'docs'), { recursive: true })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`)
    .sort();
  return [...new Set([...Object.values(sections).flat(), ...below])].map((file) => readPage(checkout, file));
}

/** Where a page is in the site. */
const placeOf = (file) =>
  (file.startsWith('docs/') ? file.slice('docs/'.length) : `project/${file.toLowerCase()}`).replace(
    /\.md$/,
    '.html',
  );

/**
 * Writes the site. All links in it are relative: it works below any path, and from a disk. Links to other files of the
 * repository lead to its web address, or become plain text if `package.json` has none.
 * @throws Error with a line for each dead link
 */
export async function writeSite(checkout, folder) {
  const pages = sitePages(checkout);
  const places = new Map(pages.map(({ file }) => [file, placeOf(file)]));
  const inSite = ({ path }) => path === null || places.has(path) || path.startsWith('docs/');
  const dead = deadLinks(
    checkout,
    pages.map((page) => ({ ...page, references: page.references.filter(inSite) })),
  );
  if (dead.length > 0) throw new Error(dead.join('\n'));

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'assets'), { recursive: true });
  cpSync(join(checkout, 'docs', 'images'), join(folder, 'images'), { recursive: true });
  cpSync(join(checkout, 'console', 'public', 'favicon.svg'), join(folder, 'favicon.svg'));
  const { repository } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  for (const page of pages) for (const each of page.references) rewrite(each, page, { places, repository });
  const assets = await writeAssets(folder, pages, places);
  for (const page of pages) {
    const place = places.get(page.file);
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    const content = markdown.renderer.render(page.tokens, markdown.options, {});
    writeFileSync(join(folder, place), pageHtml({ page, pages, places, sections, content, assets }));
  }
}

function rewrite({ token, siblings, name, path, id, address }, page, { places, repository }) {
  if (path === null || address.startsWith('#')) return;
  const from = posix.dirname(places.get(page.file));
  const fragment = id === '' ? '' : `#${id}`;
  if (places.has(path)) return token.attrSet(name, posix.relative(from, places.get(path)) + fragment);
  if (path.startsWith('docs/images/'))
    return token.attrSet(name, posix.relative(from, path.slice('docs/'.length)));
  const web = (repository?.url ?? repository)?.replace(/^git\+|\.git$/g, '');
  if (web) return token.attrSet(name, `${web}/blob/HEAD/${path}${fragment}`);
  const end = siblings.slice(siblings.indexOf(token)).find(({ type }) => type === 'link_close');
  token.attrs = null;
  for (const each of [token, end]) each.tag = 'span';
}

/** The style, the script and the index of the search, with the hash of their content in their names. */
async function writeAssets(folder, pages, places) {
  const { output } = await build({
    input: join(theme, 'search.js'),
    write: false,
    platform: 'browser',
    output: { minify: true },
  });
  writeFileSync(join(folder, 'licences.txt'), licencesOf(output[0].moduleIds));
  const style = [tokens, join(theme, 'style.css')].map((file) => readFileSync(file, 'utf8')).join('');
  const index = JSON.stringify(pages.flatMap((page) => searchEntries(page, places.get(page.file), textOf)));
  const [css, json, js] = await Promise.all(
    [
      ['style.css', style],
      ['search.json', index],
      ['search.js', output[0].code],
    ].map(([name, content]) => writeAsset(folder, name, content)),
  );
  return { css, json, js };
}

async function writeAsset(folder, name, content) {
  const hash = createHash('sha256').update(content).digest('base64url').replaceAll('_', '-').slice(0, 8);
  const asset = `assets/${name.replace('.', `-${hash}.`)}`;
  writeFileSync(join(folder, asset), content);
  await compress(join(folder, asset));
  return asset;
}
