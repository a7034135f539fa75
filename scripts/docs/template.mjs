import { posix } from 'node:path';
import { markdown } from './markdown.mjs';

const escaped = markdown.utils.escapeHtml;
const { rules } = markdown.renderer;
/** Wide tables scroll by themselves. */
rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
rules.table_close = () => '</table></div>\n';
rules.heading_close = (tokens, index) => {
  const { tag } = tokens[index];
  const id = tokens[index - 2].attrGet('id');
  return tag === 'h1'
    ? '</h1>\n'
    : ` <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a></${tag}>\n`;
};

/** The whole HTML of a page. */
export function pageHtml({ page, pages, places, sections, content, assets }) {
  const here = posix.dirname(places.get(page.file));
  const to = (place) => posix.relative(here, place);
  const linkTo = ({ file, title }, more = '') => {
    const current = file === page.file ? ' aria-current="page"' : '';
    return `<a href="${to(places.get(file))}"${current}${more}>${escaped(title)}</a>`;
  };
  const pageOf = (file) => pages.find((each) => each.file === file);
  const order = Object.values(sections).flat();
  const position = order.indexOf(page.file);
  const neighbour = (offset, rel, word) => {
    const other = position < 0 ? undefined : pageOf(order[position + offset]);
    return other ? `<span>${word} ${linkTo(other, ` rel="${rel}"`)}</span>` : '';
  };
  const onPage = page.headings.filter(({ level }) => level === 2);
  const isHome = page.file === 'docs/index.md';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${isHome ? '' : `${escaped(page.title)} · `}Holdfast documentation</title>
<link rel="icon" href="${to('favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to(assets.css)}">
<script type="module" src="${to(assets.js)}" data-index="${to(assets.json)}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="brand" href="${to('index.html')}">Holdfast <span>documentation</span></a>
<form role="search" hidden>
<input type="search" aria-label="Search" placeholder="Search" autocomplete="off" spellcheck="false">
<div class="found" aria-live="polite" hidden></div>
</form>
<a class="menu" href="#pages">Menu</a>
</header>
<main id="main" tabindex="-1">
<article>
${content}</article>
<footer>${neighbour(-1, 'prev', 'Previous:')}${neighbour(1, 'next', 'Next:')}</footer>
</main>
<nav id="pages" aria-label="Pages">
${Object.entries(sections)
  .map(
    ([name, files]) =>
      `<h2>${name}</h2>\n<ul>\n${files.map((file) => `<li>${linkTo(pageOf(file))}</li>\n`).join('')}</ul>`,
  )
  .join('\n')}
</nav>
${
  onPage.length < 2
    ? ''
    : `<nav class="contents" aria-label="On this page"><h2>On this page</h2>
<ul>
${onPage.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>\n`).join('')}</ul>
</nav>
`
}</body>
</html>
`;
}
