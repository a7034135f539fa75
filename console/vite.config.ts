import { defineConfig } from 'vite';

export default defineConfig({
  // The server writes the base path into the page; files refer to each other relatively.
  base: './',
  resolve: { conditions: ['@holdfast/source', 'module', 'browser', 'production|development'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // Inline data would need a weaker content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8081', '/health': 'http://127.0.0.1:8081' } },
});
