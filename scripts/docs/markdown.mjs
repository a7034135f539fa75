import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import MarkdownIt from 'markdown-it';

export const markdown = new MarkdownIt();

/** Comments are notes for authors; all other HTML is shown as text. */
markdown.block.ruler.before('paragraph', 'comment', (state, line, _end, silent) => {
  const text = state.src.slice(state.bMarks[line] + state.tShift[line], state.eMarks[line]);
  if (!/^<!--.*-->$/.test(text)) return false;
  if (!silent) state.line = line + 1;
  return true;
});

/** Ids of headings, as on the web page of a repository. */
markdown.core.ruler.push('heading ids', ({ tokens }) => {
  const counts = new Map();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const slug = slugOf(textOf(tokens[index + 1]));
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    token.attrSet('id', count === 0 ? slug : `${slug}-${count}`);
  }
});

const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');

/** The words of an inline token. */
export const textOf = ({ children }) =>
  children
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'image' ? '' : content))
    .join('');

/**
 * A page of markdown: its tokens, headings, and the places that it names. `file` and the `path` of a reference are
 * relative to the checkout, with slashes; `path` is null for an address with a scheme.
 */
export function readPage(checkout, file) {
  const tokens = markdown.parse(readFileSync(join(checkout, file), 'utf8'), {});
  const headings = tokens.flatMap((token, index) =>
    token.type === 'heading_open'
      ? [{ level: Number(token.tag.slice(1)), id: token.attrGet('id'), text: textOf(tokens[index + 1]) }]
      : [],
  );
  let line = 1;
  const references = tokens.flatMap(({ map, children }) => {
    // Cells of tables have no position of their own, but their row has.
    line = map ? map[0] + 1 : line;
    return (children ?? [])
      .filter(({ type }) => type === 'link_open' || type === 'image')
      .map((token) => ({ token, siblings: children, line, ...target(file, token) }));
  });
  return { file, tokens, headings, references, title: headings[0]?.text ?? file };
}

function target(file, token) {
  const name = token.type === 'image' ? 'src' : 'href';
  const address = token.attrGet(name);
  if (/^[a-z][a-z+.-]*:/i.test(address)) return { name, address, path: null, id: '' };
  const [place, id = ''] = address.split('#');
  const path = place === '' ? file : posix.join(posix.dirname(file), decodeURI(place));
  return { name, address, path, id: decodeURIComponent(id) };
}
