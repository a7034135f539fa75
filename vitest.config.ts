import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { combinations } from './test/rings.mjs';

/** `npm test` sets it; not for files that somebody names. */
const isQuick = ['1', '2'].includes(process.env.TEST_RING ?? '');

const suites = ['{core,server,plugins/*}/test/**/*conformance*.test.ts', 'test/src/conformance/**/*.test.ts'];
const real = ['{server,plugins/*}/test/**/*.real.test.ts'];

const limitMs = (isQuick ? 60 : 20 * 60) * 1_000;
const common = {
  // A failed comparison says what was there: a log of CI is all that is left of it. Projects inherit nothing.
  chaiConfig: { truncateThreshold: 2_000 },
  testTimeout: limitMs,
  hookTimeout: limitMs,
  // A busy machine is no failure.
  expect: { poll: { timeout: 30_000 } },
};
/** Packages resolve to their sources, so that no build is needed. */
const fromSources = { ssr: { resolve: { conditions: ['@holdfast/source', ...defaultServerConditions] } } };

const fast = {
  ...fromSources,
  test: {
    name: 'fast',
    ...common,
    // Files share their modules, which takes a third of the time; what a test changes it puts back.
    pool: 'threads' as const,
    isolate: false,
    include: ['{contracts,client,cli,core,server,console,plugins/*,examples/*}/test/**/*.test.ts'],
    exclude: [...suites, ...real, '**/*.long.test.ts'],
  },
};
const ofPackages = { real, conformance: suites };

export default defineConfig({
  test: {
    environment: 'node',
    // Real services wait half of the time: more files at once than a small machine has cores.
    maxWorkers: Number(process.env.TEST_WORKERS || 3),
    projects: [
      fast,
      ...Object.entries(ofPackages).map(([name, include]) => ({
        ...fromSources,
        test: { name, ...common, include },
      })),
      ...Object.entries(combinations).map(([name, TEST_COMBINATION]) => ({
        ...fromSources,
        test: {
          name,
          ...common,
          isolate: false,
          env: { TEST_COMBINATION },
          include: ['test/src/**/*.test.ts'],
          exclude: suites,
        },
      })),
    ],
  },
});
