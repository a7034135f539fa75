import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { defaultRetention, paces } from '@holdfast/core/server';
import { expect, test } from 'vitest';
import { ownDatabase, readConfiguration } from '../src/config.js';

const defaultSettings = {
  connections: { headersSeconds: 20, requestSeconds: 60, keepAliveSeconds: 65, connections: 4_000 },
  appLimits: {
    downloads: 20,
    downloadsOfUser: 10,
    stalledDownloadSeconds: 120,
    expensiveCallsPerMinute: 300,
    trustProxy: 0,
  },
  retention: defaultRetention,
  shutdownDrainSeconds: 0,
};

test('uses the defaults', () => {
  expect(readConfiguration({})).toEqual({
    archiveSizesPerMinute: 3,
    auditRetentionDays: 730,
    host: '127.0.0.1',
    port: 8081,
    dataDirectory: resolve('data'),
    initialAdminPassword: undefined,
    secretKey: undefined,
    databaseFile: resolve('data/holdfast.db'),
    databaseUrl: undefined,
    databaseUrlGiven: false,
    mongodbUri: undefined,
    appriseApiUrl: undefined,
    notifyAllowedNetworks: [],
    heartbeatUrl: undefined,
    report: { cron: '0 8 * * 1', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    console: true,
    basePath: '',
    corsOrigins: [],
    logLevel: 'info',
    shutdownGraceSeconds: 10,
    maxConcurrentJobs: 2,
    maxConcurrentPulls: 2,
    stalledPullSeconds: 1_800,
    accessTokenMinutes: 1440,
    requireSecondFactor: 'off',
    cache: { port: 6379, database: 0, ttlSeconds: 7200, maxSizeMb: 2048, warmAfterBackup: false },
    indexMaxMb: 2048,
    sshDirectory: join(homedir(), '.ssh'),
    plugins: [],
    signIn: { unknownUsers: 'refuse', groups: [] },
    ...defaultSettings,
    pluginVariables: {},
    unknownVariables: [],
    pace: paces.usual,
    validateResponses: false,
  });
});

test.each(['/holdfast', '/a/b.c/~d-e_f', '/apis'])('reads a base path %s', (path) => {
  expect(readConfiguration({ BASE_PATH: path }).basePath).toBe(path);
});

test('turns the console off on request', () => {
  expect(readConfiguration({ CONSOLE: 'off' }).console).toBe(false);
  expect(readConfiguration({ CONSOLE: 'on' }).console).toBe(true);
});

test('treats an empty variable as missing', () => {
  expect(readConfiguration({ PORT: '', SECRET_KEY: '', CORS_ORIGINS: '' })).toEqual(readConfiguration({}));
});

test.each([
  ['sqlite:///var/lib/h.db', '/var/lib/h.db'],
  ['sqlite:/var/lib/h.db', '/var/lib/h.db'],
  ['sqlite:h.db', resolve('h.db')],
])('DATABASE_URL %s', (url, file) => {
  expect(readConfiguration({ DATABASE_URL: url }).databaseFile).toBe(file);
});

test.each(['postgres://u:p@127.0.0.1:5432/h', 'postgresql://u@/h?host=/run/postgresql'])(
  'DATABASE_URL %s',
  (url) => {
    expect(readConfiguration({ DATABASE_URL: url })).toMatchObject({
      databaseUrl: url,
      databaseFile: resolve('data/holdfast.db'),
    });
  },
);

test.each([
  ['postgres://u:p@127.0.0.1:5432/h', 'h'],
  ['postgresql://u@/h%20b?host=/run/postgresql', 'h b'],
  ['postgres://u:p@127.0.0.1:5433/h', undefined],
  ['postgres://u:p@db.example.org/h', undefined],
  [undefined, undefined],
])('knows the database of %s on this machine', (databaseUrl, name) => {
  expect(ownDatabase({ databaseUrl })).toBe(name);
});

test('lists and names in their forms', () => {
  const configuration = readConfiguration({
    CORS_ORIGINS: 'https://a.example.org, http://LOCALHOST:3000,',
    LOG_LEVEL: 'WARNING',
    PLUGINS: 'one , ./two',
    NOTIFY_ALLOWED_NETWORKS: '169.254.7.0/24, fe80::1,10.0.0.1',
    APPRISE_API_URL: 'http://user:pw@apprise:8000/base',
  });
  expect(configuration.corsOrigins).toEqual(['https://a.example.org', 'http://localhost:3000']);
  expect(configuration.logLevel).toBe('warn');
  expect(configuration.plugins).toEqual(['one', './two']);
  expect(configuration.notifyAllowedNetworks).toEqual(['169.254.7.0/24', 'fe80::1', '10.0.0.1']);
  expect(configuration.appriseApiUrl).toBe('http://user:pw@apprise:8000/base');
});

const bad: [string, string][] = [
  ['PORT', 'http'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '0x50'],
  ['HOST', 'two words'],
  ['SECRET_KEY', 'short'],
  ['DATABASE_URL', 'postgres://'],
  ['DATABASE_URL', 'mysql://localhost/h'],
  ['DATABASE_URL', 'sqlite::memory:'],
  ['DATABASE_URL', 'sqlite:'],
  ['DATABASE_URL', 'sqlite://host/file'],
  ['MONGODB_URI', 'localhost:27017'],
  ['APPRISE_API_URL', 'apprise:8000'],
  ['APPRISE_API_URL', 'ftp://apprise'],
  ['APPRISE_API_URL', 'http://apprise/?a=b'],
  ['PUBLIC_URL', 'backup.example.org'],
  ['PUBLIC_URL', 'https://backup.example.org/path'],
  ['OIDC_ISSUER', 'id.example.org'],
  ['OIDC_ALLOW_HTTP', 'yes'],
  ['SIGN_IN_UNKNOWN_USERS', 'maybe'],
  ['SIGN_IN_HEADER_USER', 'Remote User'],
  ['SIGN_IN_GROUPS', 'family'],
  ['SIGN_IN_GROUPS', '{}'],
  ['NOTIFY_ALLOWED_NETWORKS', 'home'],
  ['NOTIFY_ALLOWED_NETWORKS', '10.0.0.0/33'],
  ['NOTIFY_ALLOWED_NETWORKS', '10.0.0/8'],
  ['NOTIFY_ALLOWED_NETWORKS', 'fe80::/129'],
  ['MONGODB_URI', 'mongodb://'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'https://a.example.org/path'],
  ['CORS_ORIGINS', 'a.example.org'],
  ['CONSOLE', '0'],
  ['CONSOLE', '/dev/console'],
  ['BASE_PATH', '/'],
  ['BASE_PATH', 'holdfast'],
  ['BASE_PATH', '/holdfast/'],
  ['BASE_PATH', '//holdfast'],
  ['BASE_PATH', '/holdfast//a'],
  ['BASE_PATH', '/a/../b'],
  ['BASE_PATH', '/.'],
  ['BASE_PATH', '/hold fast'],
  ['BASE_PATH', '/holdfast?a'],
  ['BASE_PATH', '/holdfast#a'],
  ['BASE_PATH', '/h%2Fa'],
  ['BASE_PATH', '/a"b'],
  ['BASE_PATH', 'https://nas.example/holdfast'],
  ['BASE_PATH', '/api'],
  ['BASE_PATH', '/API/x'],
  ['BASE_PATH', '/health'],
  ['BASE_PATH', '/metrics'],
  ['BASE_PATH', '/assets/x'],
  ['BASE_PATH', `/${'x'.repeat(200)}`],
  ['LOG_LEVEL', 'loud'],
  ['LOG_LEVEL', 'constructor'],
  ['SHUTDOWN_GRACE_SECONDS', '1.5'],
  ['MAX_CONCURRENT_JOBS', '0'],
  ['ACCESS_TOKEN_EXPIRE_MINUTES', '0'],
  ['CACHE_TTL_SECONDS', 'long'],
  ['CACHE_MAX_SIZE_MB', '0'],
  ['INDEX_MAX_MB', '-1'],
  ['METRICS_TOKEN', 'short'],
  ['METRICS_TOKEN', 'has a blank in it'],
  ['HOLDFAST_VALIDATE_RESPONSES', 'maybe'],
];

test.each(bad)('%s=%s is refused by one sentence that names it and does not repeat it', (name, value) => {
  expect.assertions(3);
  try {
    readConfiguration({ [name]: value });
  } catch (error) {
    const { message } = error as Error;
    expect(error).toMatchObject({ name: 'ConfigurationError' });
    expect(message).toMatch(new RegExp(`^${name} must .*\\.$`));
    expect(message).not.toContain('\n');
  }
});

test('reports all bad variables at once', () => {
  expect(() => readConfiguration({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/^PORT .*\.\nLOG_LEVEL .*\.$/);
});

test('omits the text of a bad secret from the error', () => {
  expect(() => readConfiguration({ SECRET_KEY: 'hunter2' })).toThrow(/^(?!.*hunter2)/);
});

test('reads the rights of groups', () => {
  const groups = [
    { group: 'admins', role: 'admin' },
    { group: 'family', role: 'limited', grants: [{ tag: 'family', right: 'restore' }] },
  ];
  const configuration = readConfiguration({
    PUBLIC_URL: 'https://Backup.example.org',
    BASE_PATH: '/holdfast',
    TRUST_PROXY: '10.0.0.0/8',
    SIGN_IN_UNKNOWN_USERS: 'create',
    SIGN_IN_GROUPS: JSON.stringify(groups),
    OIDC_ISSUER: 'https://id.example.org/realms/a',
    OIDC_CLIENT_ID: 'holdfast',
    SIGN_IN_HEADER_USER: 'X-User',
  });
  expect(configuration).toMatchObject({
    publicUrl: 'https://backup.example.org/holdfast',
    signIn: { unknownUsers: 'create', groups },
    oidc: { issuer: 'https://id.example.org/realms/a', clientId: 'holdfast', allowHttp: false },
    signInHeader: { user: 'X-User' },
  });
});

test.each([
  ['{"group": "a", "role": "owner"}', /SIGN_IN_GROUPS has a mistake in entry 2 \("a"\): role /],
  ['{"group": "a", "role": "limited", "grants": [{"right": "see"}]}', /entry 2 \("a"\): grants 0 must have/],
  ['{"group": "a", "role": "user", "grants": [{"tag": "b", "right": "see"}]}', /entry 2 \("a"\): has grants/],
  ['{"role": "user"}', /entry 2: group /],
  ['{"group": "a", "role": "user", "is_admin": true}', /entry 2 \("a"\): /],
  ['7', /entry 2: /],
])('names the group with a mistake in %s', (entry, message) => {
  const SIGN_IN_GROUPS = `[{"group": "good", "role": "user"}, ${entry}]`;
  expect(() => readConfiguration({ SIGN_IN_GROUPS })).toThrow(message);
});

const oidc = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'a' };
test.each([
  [oidc, /^PUBLIC_URL must be set, because OIDC_ISSUER is/],
  [{ OIDC_ISSUER: oidc.OIDC_ISSUER, PUBLIC_URL: 'https://a.example' }, /^OIDC_CLIENT_ID must be set/],
  [
    { SIGN_IN_HEADER_USER: 'X-User', PUBLIC_URL: 'https://a.example' },
    /^TRUST_PROXY must list the addresses/,
  ],
  [
    { SIGN_IN_HEADER_USER: 'X-User', PUBLIC_URL: 'https://a.example', TRUST_PROXY: '1' },
    /^TRUST_PROXY must list the addresses/,
  ],
])('requires the other variables of a sign-in with %j', (environment, message) => {
  expect(() => readConfiguration(environment)).toThrow(message);
});
