import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../published/installation.js';

const dist = join(root, 'console', 'dist');
const text = (name: string) => readFileSync(join(dist, 'assets', name), 'utf8');
const size = (name: string) => gzipSync(readFileSync(join(dist, 'assets', name)), { level: 9 }).length;
const sum = (names: Iterable<string>) => [...names].reduce((total, name) => total + size(name), 0);
const languageOf = (name: string) => /^(?:words|more|server)[-.](en|de)-/.exec(name)?.[1];
const code = readdirSync(join(dist, 'assets')).filter((name) => /\.(js|css)$/.test(name));

/** A browser has the words of one language. German is larger by the sentences of the server, which come in English. */
const limits = { en: 222_900, de: 250_100 };

test('loads Home within 75 kB and everything within the limit of its language', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const first = new Set(
    [...page.matchAll(/\.\/assets\/([\w.-]+\.(?:js|css))/g)].map(([, name]) => name ?? ''),
  );
  // A set goes on with what is added meanwhile: whatever these files import at once.
  for (const name of first)
    for (const [, imported] of text(name).matchAll(/from"\.\/([\w.-]+\.js)"/g)) first.add(imported ?? '');
  expect(first.size).toBeGreaterThan(3);
  expect(sum(first)).toBeLessThan(75_000);
  for (const [language, limit] of Object.entries(limits)) {
    const loaded = code.filter((name) => (languageOf(name) ?? language) === language);
    expect(loaded.length).toBeLessThan(code.length);
    expect(sum(loaded)).toBeLessThan(limit);
  }
});

test('has no screen above 27 kB', () => {
  const large = code.filter((name) => !name.startsWith('page-') && size(name) > 27_000);
  expect(large).toEqual([]);
});

test('evaluates no text as code and needs no inline script or style', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*src=)/);
  for (const name of code.filter((file) => file.endsWith('.js')))
    expect(text(name), name).not.toMatch(/\beval\(|new Function\(/);
  const source = join(root, 'console', 'src');
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' }))
    if (/\.tsx?$/.test(name))
      expect(readFileSync(join(source, name), 'utf8'), name).not.toMatch(
        /innerHTML|insertAdjacentHTML|document\.write/i,
      );
});
