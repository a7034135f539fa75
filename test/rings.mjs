/**
 * Which ring runs a test file: ring 1 has all fast tests and `first`, ring 3 has `deep`, ring 2 has everything else. Paths
 * are relative to the repository, without `test/src/` where they are below it.
 */

/** Ring 1: the plugins that every installation has, and the most important journeys. */
export const first = [
  /^plugins\/(cache-memory|jobs-embedded|notify-webhook|storage-sqlite)\/test\/conformance\./,
  /^plugins\/driver-borg\/test\/life\./,
  /^server\/test\/(app|main)\.real\./,
  /^console\/first-run\./,
  /^gates\/(authorisation|administrators-only|not-granted|own-backup-hidden)\./,
  /^journeys\/(browser-sessions|crash-recovery|hooks|main-job|notifications|restore|schedules)\./,
];

/**
 * Ring 3 by subject: its files; the files of ring 2 that go further in it (`again`); the beginnings of the paths whose
 * changes ask for it (`of`).
 * @type {{ name: string, files: RegExp[], again?: RegExp[], of: string[] }[]}
 */
export const deep = [
  {
    name: 'kills',
    files: [
      /^faults\/(?!marked-points)/,
      /^journeys\/(browse-faults|browse-instances|dead-mounts|drill-faults|folder-downloads|hooks-crash|recovery-killed|left-folders|left-out|restore-faults|sources-ssh-lost|while-locked|work-ledger)\./,
    ],
    again: [/^faults\/marked-points/, /^journeys\/restore-killed\./],
    of: [
      'core/src/engine/',
      'core/src/app/',
      'core/src/backup/',
      'plugins/storage-',
      'plugins/jobs-',
      'server/src/adapters/',
    ],
  },
  {
    name: 'soak',
    files: [/^soak\//],
    again: [/^journeys\/(queueing|two-instances)\./],
    of: [
      'core/src/engine/',
      'core/src/backup/schedules/',
      'plugins/storage-',
      'plugins/jobs-',
      'plugins/cache-',
    ],
  },
  {
    name: 'oracles',
    files: [/^oracles\//],
    again: [/^hostile\//],
    of: ['core/src/backup/', 'core/src/insight/', 'plugins/driver-borg/'],
  },
  {
    name: 'gates',
    files: [/^gates\/.*\.long\./, /^gates\/(leak|turns)\./, /^journeys\/confirmation\./],
    again: [/^gates\//],
    of: ['contracts/', 'core/src/foundation/', 'core/src/app/', 'server/src/http/'],
  },
  {
    name: 'console',
    files: [
      /^console\/(access|bad-answers|bad-days|commands|conditions|docs|every-word|focus|frame|full-disks|languages|live|providers|second-factor|staying-current|strangers)\./,
    ],
    again: [/^console\//],
    of: ['console/', 'client/', 'api/openapi.json'],
  },
  {
    name: 'borg',
    files: [/^plugins\/driver-borg\/test\/(conformance-1\.4|old-archives|other-repository|versions)\./],
    of: ['plugins/driver-borg/', 'core/src/backup/archives/', 'core/src/backup/repositories/'],
  },
  {
    name: 'ssh',
    files: [
      /^journeys\/(recovery-remote|restore-remote(-faults)?|snapshots-remote)\./,
      /^journeys\/ssh-(bad-input|bandwidth|deployment|dropped-connection|failed-setup|jump|key-import|other-hosts|pull-.*|sudo)\./,
    ],
    of: ['core/src/backup/ssh/', 'core/src/backup/places/', 'server/src/adapters/', 'plugins/driver-borg/'],
  },
  {
    name: 'moving-in',
    files: [/^journeys\/(adoption|borgmatic.*|moving-in|settings-file|ssh-moving-in)\./],
    of: ['core/src/migration/', 'plugins/importer-borgmatic/'],
  },
  {
    name: 'suites',
    files: [
      /^conformance\//,
      /^plugins\/jobs-mongodb\/test\/(faults|instances)\./,
      /^journeys\/(plugins-.*|mongodb|postgres-faults)\./,
    ],
    again: [/^plugins\/storage-sqlite\/test\/schema\./],
    of: ['plugins/', 'core/src/engine/plugins/'],
  },
  {
    name: 'tools',
    files: [
      /^(architecture|bootstrap-steps|words-lint)\./,
      /^journeys\/(command-line|doctor|documented-examples)\./,
    ],
    of: ['scripts/', '.dependency-cruiser.cjs', 'docs/', 'cli/', 'package.json'],
  },
  {
    name: 'image',
    files: [/^journeys\/(clients|deployment|deployment-full|image|published|upgrading|demo)\./, /^node-24\./],
    of: ['Dockerfile', 'examples/', 'package-lock.json', 'scripts/', 'server/src/'],
  },
  {
    name: 'bad-input',
    files: [
      /^journeys\/(.*bad-input|archive-identity|escape-kit|recovery-postgres|browse-large|full-disk|restore-targets|storage-move)\./,
    ],
    of: ['contracts/', 'core/src/', 'server/src/'],
  },
  // Every journey with the other combinations of stores.
  { name: 'stores', files: [], of: ['plugins/storage-', 'plugins/cache-', 'plugins/jobs-'] },
];

/** The stores with which every file runs, by the name of their project, and those with which journeys run again. */
export const combinations = {
  system: 'sqlite-embedded-memory',
  stores: 'postgres-mongodb-redis',
  'stores-2': 'sqlite-mongodb-redis',
  'stores-3': 'postgres-embedded-memory',
};

/** What a store could break: in ring 2 with the second stores, too. */
const aboutStores = /^journeys\/(incidents-instances|main-job|queueing|schedules|two-instances)\./;
const onlySecondStores = /^journeys\/(incidents-instances|postgres-faults|two-instances)\./;
/** They look into the SQLite file, bring servers of their own, or need no store at all. */
const onlyUsualStores = [
  /^[^/]+$/,
  /^(conformance|console|faults|hostile|invariants|oracles)\//,
  /^gates\/(?!leak\.)/,
  /^soak\/everything\./,
  /^journeys\/(archive-identity|command-line|demo|mongodb|recovery|recovery-killed|recovery-postgres|secrets-rotate|storage-move)\./,
  /^journeys\/(clients|deployment.*|image|plugins-.*|postgres-refused|published|upgrading|when-gone-documented)\./,
];

/**
 * @param {string} path of a test file
 * @param {string} project of `vitest.config.ts`
 * @returns {1 | 2 | 3 | null} null: never
 */
export function ringOf(path, project) {
  if (project === 'fast') return 1;
  const file = path.replace(/^test\/src\//, '');
  const matches = (patterns) => patterns.some((pattern) => pattern.test(file));
  if (project.startsWith('stores')) {
    if (matches(onlyUsualStores)) return null;
    if (project !== 'stores') return matches([onlySecondStores]) ? null : 3;
    return matches([aboutStores]) ? 2 : 3;
  }
  if (matches([onlySecondStores])) return project === 'system' ? null : 2;
  if (matches(first)) return 1;
  return matches(deep.flatMap(({ files }) => files)) ? 3 : 2;
}

/** The subjects of ring 3 that run a file. */
export function subjectsOf(path, project) {
  if (project === 'fast') return [];
  const file = path.replace(/^test\/src\//, '');
  if (project.startsWith('stores')) return ringOf(path, project) === 3 ? ['stores'] : [];
  const isIn = ({ files, again = [] }) => [...files, ...again].some((pattern) => pattern.test(file));
  return deep.filter(isIn).map(({ name }) => name);
}

/** The subjects of ring 3 that changes to these files ask for; a change of something else asks for none. */
export const subjectsFor = (changed) =>
  deep
    .filter(({ of }) => changed.some((path) => of.some((start) => path.startsWith(start))))
    .map(({ name }) => name);
