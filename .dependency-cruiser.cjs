/**
 * The import direction as rules: plugins and core know plugins/api, core knows contracts, and the server knows core.
 * Packages reach each other by name and so through their `exports`; inside a package the folders have rules of their own.
 */
const coreDoor = '^core/(src|dist)/server\\.';
const api = '^plugins/api/(src|dist)/(index|driver|files|importer|source)\\.';
const testkit = '^plugins/testkit/(src|dist)/index\\.';
/** Libraries for several plugins of one kind. */
const libraries = ['storage-sequelize', 'jobs-agenda', 'notify-transport'];
/** Of another version than one at the top, a library lies below its package. */
const npm = (...names) => `^(core/)?node_modules/(${names.join('|')})/`;
/** Of core, from the top: each knows those below it. */
const wings = ['app', 'migration', 'insight', 'backup', 'engine', 'foundation'];
/** Of the console, from the top: each knows those below it; the frame and the screens do not know each other. */
const layers = [
  ...[
    'main\\.',
    'app\\.',
    'routes\\.',
    '(frame|screens)/',
    'shell/',
    'ui/',
    'hub/',
    'api/',
    '(i18n|messages)/',
  ],
  '(base|store)\\.',
];
/** Node's modules that reach out of the process, or wait. */
const effects =
  '^(node:)?(child_process|cluster|dgram|dns|fs|http|http2|https|net|os|process|readline|timers|tls|worker_threads)(/|$)';
const workspaces = '^(contracts|client|core|plugins|server|console|test|examples)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two files that need each other are one file, or hide a third.',
      from: { pathNot: '(^|/)dist/' },
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      comment:
        'A package that is not installed, or a door that a package does not open (a missing build looks the same).',
      from: {},
      // With `?` they are orders to the bundler.
      to: { couldNotResolve: true, pathNot: '\\?' },
    },
    {
      name: 'no-undeclared-dependency',
      severity: 'error',
      comment: 'What a package imports stands in its own package.json.',
      from: { path: '^(contracts|client|core|plugins/[^/]+|server|console)/src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-dev-dependency',
      severity: 'error',
      comment: 'What runs at a user must not need what only developers install; types are gone by then.',
      from: { path: '^(contracts|client|cli|core|plugins/[^/]+|server)/src/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only', 'npm'],
        pathNot: '^node_modules/@types/',
      },
    },
    {
      name: 'source-not-to-tests',
      severity: 'error',
      comment: 'Tests know the source, never the other way round.',
      from: { path: '/src/', pathNot: '^test/' },
      to: { path: '(^|/)test/' },
    },
    {
      name: 'contracts-alone',
      severity: 'error',
      comment:
        'contracts: what goes over the wire; zod, @ts-rest/core and the OpenAPI annotations of zod only.',
      from: { path: '^contracts/src/' },
      to: { pathNot: ['^contracts/', npm('zod', '@ts-rest/core', '@anatine/zod-openapi')] },
    },
    {
      name: 'client-alone',
      severity: 'error',
      comment: 'client: what is generated from the OpenAPI document, and openapi-fetch; it runs in browsers.',
      from: { path: '^client/src/' },
      to: { pathNot: ['^client/src/', npm('openapi-fetch')] },
    },
    {
      name: 'cli-by-the-client',
      severity: 'error',
      comment: 'cli: of ours, the client; commander, and Node. It is installed alone too.',
      from: { path: '^cli/src/' },
      to: {
        pathNot: ['^cli/src/', '^client/(src|dist)/index\\.', npm('commander')],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'console-by-the-client',
      severity: 'error',
      comment:
        'Of ours, the console knows the client, as everybody else may, and the rules of retention, which it must draw ' +
        'as the server applies them.',
      from: { path: '^console/src/' },
      to: {
        path: '^(contracts|client|core|plugins|server|test)/',
        pathNot: ['^client/(src|dist)/index\\.', '^contracts/(src|dist)/(retention|exclude-presets)\\.'],
      },
    },
    ...layers.slice(1).map((layer, index) => ({
      name: 'layers-downwards',
      severity: 'error',
      comment: 'A layer of the console knows those below it, and is told by those above what it needs.',
      from: { path: `^console/src/${layer}` },
      to: { path: `^console/src/(${layers.slice(0, index + 1).join('|')})` },
    })),
    {
      name: 'screens-without-frame',
      severity: 'error',
      comment: 'The frame shows any screen, and a screen stands in any frame.',
      from: { path: '^console/src/(frame|screens)/' },
      to: { path: '^console/src/(frame|screens)/', pathNot: '^console/src/$1/' },
    },
    {
      name: 'messages-take-text',
      severity: 'error',
      comment:
        'Numbers, times and lists come formatted; a message chooses its form by the rules of plurals alone.',
      from: { path: '^console/src/messages/' },
      to: { path: '^console/src/', pathNot: '^console/src/(messages/|i18n/(plural|translate)\\.)' },
    },
    {
      name: 'server-sentences-alone',
      severity: 'error',
      comment:
        'The page waits for this file before it starts: with other files of the page it would wait forever.',
      from: { path: '^console/src/messages/server\\.' },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'service-without-its-clients',
      severity: 'error',
      comment:
        'The client and the console speak HTTP with the service, which only hands out the files of the console.',
      from: { path: '^(contracts|core|plugins|server)/' },
      to: { path: '^(client|console)/' },
    },
    {
      name: 'service-without-its-clients',
      severity: 'error',
      comment: 'Only the command line of the server has these commands.',
      from: { path: '^(contracts|core|plugins|server)/', pathNot: '^server/src/cli/' },
      to: { path: '^cli/' },
    },
    {
      name: 'core-libraries',
      severity: 'error',
      comment:
        'core: contracts, its own files, Node and small pure libraries; no framework, database, driver or tool.',
      from: { path: '^core/src/' },
      to: {
        pathNot: [
          '^core/src/',
          '^contracts/(src|dist)/',
          api,
          npm(
            ...['zod', 'keyv', 'p-retry', 'p-timeout', 'semver', '@types/semver', 'string-argv'],
            ...['croner', 'cronstrue', 'luxon', '@types/luxon', 'otpauth'],
            'cacheable',
          ),
        ],
        dependencyTypesNot: ['core', 'unknown'],
      },
    },
    {
      name: 'core-no-processes',
      severity: 'error',
      comment: 'Programs are started by drivers and adapters, connections are made by plugins.',
      from: { path: '^core/src/' },
      to: { path: '^(node:)?(child_process|cluster|dgram|http2|https|net|repl|tls)$' },
    },
    ...wings.map((wing, index) => ({
      name: 'wings-downwards',
      severity: 'error',
      comment: 'A wing imports only lower wings. Callbacks to higher ones are passed in by `app.ts`.',
      from: { path: `^core/src/${wing}/` },
      to: {
        path: `^core/src/(${['server\\.', ...wings.slice(0, index).map((above) => `${above}/`)].join('|')})`,
      },
    })),
    {
      name: 'wings-by-index',
      severity: 'error',
      comment: 'Import a lower wing through the index of its modules. Each port is a file.',
      from: { path: `^core/src/(${wings.join('|')})/` },
      to: {
        path: `^core/src/(${wings.join('|')})/`,
        pathNot: ['^core/src/$1/', '^core/src/[^/]+/[^/]+/index\\.', '^core/src/foundation/ports/'],
      },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      comment:
        '*.rules.ts: decisions by what they are given; of ports they know types alone, and nothing of the machine.',
      from: { path: '^core/src/.*\\.rules\\.ts$' },
      to: { path: ['^core/src/foundation/ports/', effects], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'files-in-fs',
      severity: 'error',
      comment: 'Whoever looks for what touches files finds it by its name, *.fs.ts.',
      from: { path: '^core/src/', pathNot: '\\.fs\\.ts$' },
      to: { path: '^(node:)?fs(/promises)?$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'api-alone',
      severity: 'error',
      comment: 'plugins/api: whoever writes a plugin installs it, with zod and nothing else.',
      from: { path: '^plugins/api/src/', pathNot: '^plugins/api/src/(files|foreign/)' },
      to: { pathNot: ['^plugins/api/src/', npm('zod'), '^(node:)?(buffer|crypto|stream)$'] },
    },
    {
      name: 'foreign-files-alone',
      severity: 'error',
      comment: 'plugins/api/src/foreign: the helper for files of others needs Node, and nothing else.',
      from: { path: '^plugins/api/src/(files|foreign/)' },
      to: { pathNot: ['^plugins/api/src/foreign/', '^(node:)?(fs(/promises)?|path|child_process)$'] },
    },
    {
      name: 'testkit-is-for-tests',
      severity: 'error',
      comment:
        'The suites are data for tests: of all that runs, only the command that checks a plugin imports them.',
      from: {
        path: '^(core|plugins/[^/]+|server)/src/',
        pathNot: ['^plugins/testkit/', '^server/src/cli/check/'],
      },
      to: { path: '^plugins/testkit/' },
    },
    {
      name: 'plugins-by-the-api',
      severity: 'error',
      comment: 'A plugin knows plugins/api, and neither contracts nor core nor server.',
      from: { path: '^plugins/[^/]+/src/' },
      to: { path: '^(contracts|core|server|test)/' },
    },
    {
      name: 'plugins-alone',
      severity: 'error',
      comment: 'A plugin does not know another one; a library for several plugins of a kind has no manifest.',
      from: { path: '^plugins/([^/]+)/' },
      to: {
        path: '^plugins/',
        pathNot: ['^plugins/$1/', api, `^plugins/(${libraries.join('|')})/(src|dist)/index\\.`],
      },
    },
    ...libraries.map((library) => ({
      name: 'libraries-of-a-kind',
      severity: 'error',
      comment:
        'Only plugins of its kind use the library: storage-sequelize those of SQL databases, and so on.',
      from: { path: '^plugins/', pathNot: `^plugins/${library.split('-')[0]}-` },
      to: { path: `^plugins/${library}/` },
    })),
    {
      name: 'server-by-doors',
      severity: 'error',
      comment: 'The server knows core by its one door, the API of plugins, and plugins by name at run time.',
      from: { path: '^server/src/', pathNot: '^server/src/cli/check/' },
      to: { path: '^(core|plugins|test)/', pathNot: [coreDoor, api] },
    },
    {
      name: 'plugin-check-by-doors',
      severity: 'error',
      comment: 'The command that runs the suites on a plugin knows them too.',
      from: { path: '^server/src/cli/check/' },
      to: { path: '^(core|plugins|test)/', pathNot: [coreDoor, api, testkit] },
    },
    {
      name: 'server-no-databases',
      severity: 'error',
      comment:
        'SQL, MongoDB and Redis stand behind ports. The index of archives has SQLite files of its own.',
      from: { path: '^server/src/', pathNot: '^server/src/adapters/archive-index/sqlite\\.ts$' },
      to: { path: npm('sequelize', 'sqlite3', 'mongodb', 'agenda', 'redis', '@redis/[^/]+', 'pg') },
    },
    {
      name: 'tsyringe-in-composition',
      severity: 'error',
      comment: 'One folder puts the parts together; elsewhere parts are parameters.',
      from: { path: workspaces, pathNot: '^server/src/composition/' },
      to: { path: npm('tsyringe', 'reflect-metadata') },
    },
    {
      name: 'driver-stays-behind-its-port',
      severity: 'error',
      comment: 'Only the host loads plugins, by the name in the configuration.',
      from: { path: '^(contracts|core|server)/' },
      to: { path: '^plugins/', pathNot: '^plugins/(api|testkit)/' },
    },
  ],
  options: {
    doNotFollow: { path: ['(^|/)node_modules/', '(^|/)dist/'] },
    exclude: { path: ['^plugins/[^/]+/test/', '(^|/)dist/.*\\.tsbuildinfo$'] },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@holdfast/source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
