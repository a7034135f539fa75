import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { shortClass, shortMessages } from './build/short-names.ts';

/** The places of the console: what belongs to one is loaded together, which takes half the bytes of many small files. */
const places = {
  archives: /^(archives|browse|restore)$/,
  repositories: /^(repositor(y|ies)|maintenance|plots|folders|configuration)$/,
  plans: /^(schedules|plan|add|setup|channels|activity|components)$/,
  account: /^account$/,
  settings: /^(settings|notifications|incidents|hosts|sources|scripts|people|audit|system)$/,
};
const placeNamed = (name = '') => Object.entries(places).find(([, names]) => names.test(name))?.[0];

const areaOf = (id: string) => /\/messages\/(?:en|de)\/(\w+)\.ts$/.exec(id)?.[1];

/** The words of a language: of the first page, and all others. */
function wordsOf(id: string): string | null {
  const [, language, area] = /\/messages\/(?:more-)?(en|de)(?:\/([\w-]+))?\.ts$/.exec(id) ?? [];
  if (!language) return null;
  return /^(common|frame|home)$/.test(area ?? '') ? `words-${language}` : `more-${language}`;
}

/** Plots, the year, lost files, previews, the words for passphrases and some dialogs stay apart: they are loaded when they are needed. */
const apart =
  /plot|preview|\/year\.|runs-of-day|\/lost|\/add\/words\.|source-dialog|sources\.rules|restore-dump|webauthn/i;
const placeOf = (id: string): string | null =>
  apart.test(id) ? null : (placeNamed(/src\/screens\/(\w+)\//.exec(id)?.[1]) ?? null);

/** What several places use. */
function partsOf(id: string, moduleInfo: ModuleInfo): string | null {
  if (!/\/console\/src\//.test(id) || /\/messages\//.test(id) || apart.test(id)) return null;
  const users = (moduleInfo(id)?.importers ?? []).map((user) => placeOf(user) ?? user);
  return new Set(users).size > 1 && placeOf(id) !== null
    ? 'parts'
    : /\/src\/(shell|ui|api)\//.test(id)
      ? 'parts'
      : null;
}

/**
 * What Home needs beside the script of the page is fetched along with it, instead of after it: on a slow line each
 * step takes a tenth of a second.
 */
const preloads: Plugin = {
  name: 'preloads',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => /^assets\/(words-\w+|worker)-.*\.js$/.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: '', href: `./${file}` },
          injectTo: 'head',
        })),
  },
};

type ModuleInfo = (id: string) => { importedIds: readonly string[]; importers: readonly string[] } | null;
const first = new Set<string>();

/** Whether the script of the page imports it, at whatever distance: one file is sooner there than twenty. */
function isFirst(id: string, moduleInfo: ModuleInfo): boolean {
  const visit = (module: string) => {
    if (first.has(module)) return;
    first.add(module);
    moduleInfo(module)?.importedIds.forEach(visit);
  };
  if (first.size === 0) visit(fileURLToPath(new URL('src/main.tsx', import.meta.url)));
  return first.has(id);
}

export default defineConfig({
  // The server writes the base path into the page; files refer to each other relatively.
  base: './',
  resolve: { conditions: ['@holdfast/source', 'module', 'browser', 'production|development'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: shortClass } },
  worker: { format: 'es' },
  plugins: [preloads, shortMessages()],
  build: {
    target: 'es2022',
    // Inline data would need a weaker content security policy.
    assetsInlineLimit: 0,
    // One file: half of the bytes of many small ones.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              debugName: 'page',
              priority: 4,
              // What messages call comes along, or it would stand beside the words of one language.
              name: (id, context) =>
                isFirst(id, (module) => context.getModuleInfo(module)) || /\/console\/src\/i18n\//.test(id)
                  ? 'page'
                  : null,
            },
            // All others are too many for one file: these are loaded with them.
            {
              debugName: 'words of settings',
              priority: 3.5,
              name: (id) => (placeNamed(areaOf(id)) === 'settings' ? `${wordsOf(id)}-settings` : null),
            },
            { debugName: 'words', priority: 3, name: wordsOf },
            {
              debugName: 'parts',
              priority: 2,
              name: (id, context) => partsOf(id, (module) => context.getModuleInfo(module)),
            },
            { debugName: 'place', priority: 1, name: placeOf },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8081', '/health': 'http://127.0.0.1:8081' } },
});
