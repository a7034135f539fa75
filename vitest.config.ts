import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const seconds = 1000;
const conformance = [
  '{core,server,plugins/*}/test/**/*conformance*.test.ts',
  'test/src/conformance/**/*.test.ts',
];

const real = ['{server,plugins/*}/test/**/*.real.test.ts'];
/** A failed comparison says what was there: a log of CI is all that is left of it. Projects inherit nothing. */
const inFull = { chaiConfig: { truncateThreshold: 2_000 } };
/** Packages resolve to their sources, so that no build is needed. */
const fromSources = { ssr: { resolve: { conditions: ['@holdfast/source', ...defaultServerConditions] } } };

const isLong = process.env.TEST_LONG === '1';
/** What is run before a release: `npm run test:long`. */
const longOnly = isLong ? [] : ['**/*.long.test.ts'];

/**
 * `npm test` proves each promise once. These look deeper at one: every point of a crash, every host that fails, every
 * screen. They run in `.ci/run`, and when somebody names them.
 */
const deeper =
  isLong || process.env.TEST_DEEP === '1'
    ? []
    : [
        'test/src/{faults,soak,oracles,invariants}/**',
        'test/src/gates/{audit*,fuzz*,leak*,turns}.test.ts',
        'test/src/console/!(first-run|home|size).test.ts',
        'test/src/{architecture,bootstrap}.test.ts',
        'test/src/journeys/*{faults,killed,refused,documented,secrets,dropped,bad-input,trusted,targets,identity}*.test.ts',
        'test/src/journeys/{adoption,borgmatic-losses,browse,browse-instances,clients,confirmation,escape-kit,folder-downloads,incidents-instances}.test.ts',
        'test/src/journeys/{browse-large,full-disk,hooks-crash,plugins-added,queueing,source-sets,ssh-deployment,unsigned-archives,work-ledger}.test.ts',
        'plugins/driver-borg/test/{old-archives,other-repository,versions}.real.test.ts',
        'plugins/jobs-mongodb/test/{faults,instances}.real.test.ts',
        'test/src/journeys/{command-line,dead-mounts,demo,deployment,left-out,mongodb,moving-in,notification-kinds,other-repository,places,plugins-check}.test.ts',
        'test/src/journeys/{recovery-remote,recovery-sheet,restore-remote,settings-file,silent-connections,storage-move,unread-sources,upgrading,while-locked}.test.ts',
        'test/src/journeys/{borgmatic,borgmatic-schema,ssh-failed-setup,ssh-host-key,ssh-jump,ssh-key-import,ssh-maintenance,ssh-other-hosts,ssh-pull-tar,ssh-sudo}.test.ts',
      ];

const firstCombination = 'sqlite-embedded-memory';
const combination = process.env.TEST_COMBINATION || firstCombination;
/** Journeys that are about one combination of stores run with it alone. */
const aboutOne = {
  [firstCombination]: [
    'test/src/*.test.ts',
    'test/src/oracles/*.test.ts',
    // They look into the SQLite file, or begin with one.
    'test/src/gates/!(leak).test.ts',
    'test/src/faults/*.test.ts',
    'test/src/journeys/{archive-identity,command-line,demo,recovery,recovery-killed,secrets-rotate,storage-move}.test.ts',
    // It is about archives and folders.
    'test/src/hostile/*.test.ts',
    // They are about what is published and how it is set up.
    'test/src/journeys/{clients,deployment,deployment-full,plugins-added,plugins-check,plugins-documented,plugins-refused,postgres-refused,published,image,upgrading,when-gone-documented}*.test.ts',
    // They bring servers of their own.
    'test/src/journeys/mongodb.test.ts',
    'test/src/soak/everything.test.ts',
    // It needs no store at all.
    'test/src/invariants/invariants.test.ts',
  ],
  'postgres-mongodb-redis': [
    'test/src/journeys/incidents-instances.test.ts',
    'test/src/journeys/postgres-faults.test.ts',
    'test/src/journeys/two-instances.test.ts',
  ],
};
const aboutOthers = Object.entries(aboutOne).flatMap(([name, files]) => (name === combination ? [] : files));
/** What another combination than the first is asked for at each change; the long lane asks it for everything. */
const aboutStores = [
  'test/src/journeys/{main-job,schedules,queueing,crash-recovery,browse-instances,incidents-instances,notifications-outbox,retries-and-events,two-instances,postgres-faults,source-sets,registered-again}.test.ts',
];
const systemFiles = isLong || combination === firstCombination ? ['test/src/**/*.test.ts'] : aboutStores;

/** What takes minutes by itself begins first, or one worker would go on with it alone in the end. */
class LongestFirst extends BaseSequencer {
  static readonly longest =
    /(soak\/everything|gates\/leak|journeys\/(published\.long|crash-recovery|schedules|hooks|ssh-pull-faults)|faults\/marked-points|conformance(-1\.4\.long)?)\.test\.ts$/;

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LongestFirst.longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    // Real services wait half of the time: more files at once than a small machine has cores.
    maxWorkers: Number(process.env.TEST_WORKERS || 3),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // What needs neither a build nor a service.
        ...fromSources,
        test: {
          name: 'fast',
          ...inFull,
          // Files share their modules, which takes a third of the time; what a test changes it puts back.
          pool: 'threads',
          isolate: false,
          include: ['{contracts,client,cli,core,server,console,plugins/*,examples/*}/test/**/*.test.ts'],
          exclude: [...conformance, ...real, ...longOnly],
          testTimeout: 120 * seconds,
          hookTimeout: 120 * seconds,
        },
      },
      {
        ...fromSources,
        test: {
          name: 'real',
          ...inFull,
          include: real,
          exclude: [...conformance, ...longOnly, ...deeper],
          testTimeout: 600 * seconds,
          hookTimeout: 600 * seconds,
        },
      },
      {
        ...fromSources,
        test: {
          name: 'conformance',
          ...inFull,
          include: conformance,
          exclude: longOnly,
          testTimeout: 600 * seconds,
          hookTimeout: 600 * seconds,
        },
      },
      {
        ...fromSources,
        test: {
          name: 'system',
          ...inFull,
          isolate: false,
          // A busy machine is no failure.
          expect: { poll: { timeout: 60 * seconds } },
          include: systemFiles,
          exclude: [...conformance, ...aboutOthers, ...longOnly, ...deeper],
          testTimeout: 600 * seconds,
          hookTimeout: 600 * seconds,
        },
      },
    ],
  },
});
