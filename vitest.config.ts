import { defineConfig } from 'vitest/config';

const seconds = 1000;
const conformance = [
  '{core,server,plugins/*}/test/**/*conformance*.test.ts',
  'test/src/conformance/**/*.test.ts',
];

export default defineConfig({
  test: {
    environment: 'node',
    // Two cores are what a small machine has; more files at once only make the real tools wait for each other.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contracts,core,server,plugins/*,examples/*}/test/**/*.test.ts'],
          exclude: conformance,
          testTimeout: 30 * seconds,
          hookTimeout: 30 * seconds,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'conformance',
          include: conformance,
          testTimeout: 180 * seconds,
          hookTimeout: 180 * seconds,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/src/**/*.test.ts'],
          exclude: conformance,
          testTimeout: 240 * seconds,
          hookTimeout: 180 * seconds,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
