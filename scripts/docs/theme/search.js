/** The search of the site. Its index is loaded with the first use. */
import MiniSearch from 'minisearch';

const most = 12;
const form = document.querySelector('form[role="search"]');
const input = form.querySelector('input');
const found = form.querySelector('.found');
const root = new URL('..', import.meta.url);
const index = new URL(document.querySelector('script[data-index]').dataset.index, location.href);

let loading;
const load = () => {
  loading ??= fetch(index)
    .then((answer) => answer.json())
    .then((entries) => {
      const search = new MiniSearch({
        idField: 'address',
        fields: ['page', 'heading', 'text'],
        storeFields: ['page', 'heading', 'text'],
        searchOptions: {
          boost: { heading: 4, page: 2 },
          combineWith: 'AND',
          prefix: true,
          fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        },
      });
      search.addAll(entries);
      return search;
    });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
};

async function show() {
  const words = input.value.trim();
  if (words === '') return close();
  const search = await load().catch(() => null);
  if (words !== input.value.trim()) return;
  const results = search?.search(words).slice(0, most) ?? [];
  const say = search === null ? 'The search index could not be loaded.' : 'No results.';
  found.replaceChildren(...(results.length > 0 ? results.map(row) : [element('p', say)]));
  found.hidden = false;
}

function row({ id, page, heading, text, terms }) {
  const link = element('a', '');
  link.href = new URL(id, root).href;
  link.append(
    element('b', heading === '' ? page : `${page}: ${heading}`),
    element('span', part(text, terms)),
  );
  return link;
}

/** The text around the first of these words. */
function part(text, terms) {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const start = text.lastIndexOf(' ', Math.max(0, Math.min(...places, text.length) - 40)) + 1;
  const end = text.length - start < 160 ? text.length : text.lastIndexOf(' ', start + 160);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function close() {
  found.hidden = true;
}

function move(event) {
  const links = [...found.querySelectorAll('a')];
  const next = links.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
  event.preventDefault();
  (links[next] ?? input).focus();
}

form.hidden = false;
input.addEventListener('focus', () => void load().catch(() => null));
input.addEventListener('input', () => void show());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close();
  else if (/^Arrow(Down|Up)$/.test(event.key)) move(event);
});
form.addEventListener('click', ({ target }) => {
  // The same page has no reason to load again.
  if (target.closest('a')) close();
});
document.addEventListener('click', ({ target }) => {
  if (!form.contains(target)) close();
});
document.addEventListener('keydown', (event) => {
  const isTyping = document.activeElement === input;
  if (isTyping || !(event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey)))) return;
  event.preventDefault();
  input.focus();
});
