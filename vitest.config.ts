import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const seconds = 1000;
const conformance = [
  '{core,server,plugins/*}/test/**/*conformance*.test.ts',
  'test/src/conformance/**/*.test.ts',
];

/** Journeys that are about one combination of stores run with it alone; see `npm run test:matrix`. */
const combination = process.env.TEST_COMBINATION || 'sqlite-embedded-memory';
const aboutOne = {
  'sqlite-embedded-memory': [
    'test/src/*.test.ts',
    'test/src/oracles/*.test.ts',
    // They look into the SQLite file, or begin with one.
    'test/src/gates/*.test.ts',
    'test/src/faults/*.test.ts',
    'test/src/journeys/{archive-identity,command-line,secrets-rotate,storage-move}.test.ts',
    // It is about archives and folders.
    'test/src/hostile/*.test.ts',
    // They are about what is published and how it is set up.
    'test/src/journeys/{clients,deployment,deployment-full,plugins-added,plugins-check,plugins-documented,plugins-refused,postgres-refused,published}.test.ts',
    // They bring servers of their own.
    'test/src/journeys/mongodb.test.ts',
    'test/src/soak/everything.test.ts',
    // It needs no store at all.
    'test/src/invariants/invariants.test.ts',
  ],
  'postgres-mongodb-redis': [
    'test/src/journeys/postgres-faults.test.ts',
    'test/src/journeys/two-instances.test.ts',
  ],
};
const aboutOthers = Object.entries(aboutOne).flatMap(([name, files]) => (name === combination ? [] : files));

/** What takes minutes by itself begins first, or one worker would go on with it alone in the end. */
class LongestFirst extends BaseSequencer {
  static readonly longest =
    /(soak\/everything|journeys\/(published|crash-recovery|schedules)|faults\/marked-points|conformance(-1\.4)?)\.test\.ts$/;

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LongestFirst.longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    // A failed comparison says what was there: a log of CI is all that is left of it.
    chaiConfig: { truncateThreshold: 2_000 },
    // Two cores are what a small machine has; more files at once only make the real tools wait for each other.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
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
          exclude: [...conformance, ...aboutOthers],
          testTimeout: 240 * seconds,
          hookTimeout: 180 * seconds,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
