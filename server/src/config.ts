import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Pace, paces, parseCron } from '@holdfast/core/server';
import { z } from 'zod';
import { type LimitSettings, limitVariables, readLimits } from './limit-variables.js';
import { type OtherVariables, readOtherVariables } from './other-variables.js';
import { missingForSignIn, readSignIn, type SignInSettings, signInVariables } from './sign-in-variables.js';
import { basePathForm, isBasePath, isNetwork, listOf, wholeNumber } from './variable-forms.js';

/** The message has one line per invalid variable, starting with its name. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const minimalSecretKey = 16;

const isOrigin = (text: string) => {
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && origin === text.toLowerCase();
};

const isHttpUrl = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#]/.test(text);

function isCron(expression: string, timeZone?: string): boolean {
  try {
    parseCron(expression, timeZone);
    return true;
  } catch {
    return false;
  }
}

const isPostgresUrl = (url: string) => /^postgres(ql)?:\/\/\S+$/i.test(url);

const flag = z
  .enum(['0', '1', 'false', 'true'], { errorMap: () => ({ message: 'must be 0 or 1' }) })
  .default('0')
  .transform((text) => text === '1' || text === 'true');

const onOff = z
  .enum(['on', 'off'], { errorMap: () => ({ message: 'must be on or off' }) })
  .default('on')
  .transform((text) => text === 'on');

const logLevels = { debug: 'debug', info: 'info', warn: 'warn', warning: 'warn', error: 'error' } as const;
type LogLevelName = keyof typeof logLevels;

const variables = z.object({
  HOST: z
    .string()
    .regex(/^[0-9A-Za-z.:%_-]+$/, 'must be a host name or an IP address')
    .default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535, 8081),
  DATA_DIR: z.string().default('./data'),
  INITIAL_ADMIN_PASSWORD: z.string().optional(),
  SECRET_KEY: z
    .string()
    .min(
      minimalSecretKey,
      `must have at least ${minimalSecretKey} characters; if it is not set, a key is generated`,
    )
    .optional(),
  DATABASE_URL: z
    .string()
    .refine(
      (url) => sqliteFile(url) !== null || isPostgresUrl(url),
      'must name an SQLite file, for example sqlite:///srv/holdfast.db, or a PostgreSQL database, ' +
        'for example postgres://holdfast:password@127.0.0.1:5432/holdfast',
    )
    .optional(),
  MONGODB_URI: z
    .string()
    .regex(
      /^mongodb(\+srv)?:\/\/[^\s/?]+/,
      'must be a connection string, for example mongodb://127.0.0.1:27017/holdfast',
    )
    .optional(),
  APPRISE_API_URL: z
    .string()
    .refine(isHttpUrl, 'must be the address of an Apprise API server, for example http://127.0.0.1:8000')
    .optional(),
  NOTIFY_ALLOWED_NETWORKS: z
    .string()
    .default('')
    .transform(listOf)
    .refine(
      (networks) => networks.every(isNetwork),
      'must list networks such as 169.254.7.0/24, separated by commas',
    ),
  HEARTBEAT_URL: z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      'must be the address of a monitor, for example https://monitor.example.org/ping/name',
    )
    .optional(),
  REPORT_CRON: z
    .string()
    .default('0 8 * * 1')
    .refine((text) => isCron(text), 'must be a cron expression with five fields, for example 0 8 * * 1'),
  REPORT_TIMEZONE: z
    .string()
    .default(Intl.DateTimeFormat().resolvedOptions().timeZone)
    .refine((zone) => isCron('0 8 * * 1', zone), 'must be a time zone such as Europe/Berlin'),
  CONSOLE: onOff,
  BASE_PATH: z
    .string()
    .default('')
    .refine((path) => path === '' || isBasePath(path), basePathForm),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform(listOf)
    .refine(
      (origins) => origins.every(isOrigin),
      'must list origins such as https://backup.example.org, separated by commas, each without a path',
    )
    .transform((origins) => origins.map((origin) => origin.toLowerCase())),
  LOG_LEVEL: z
    .string()
    .default('info')
    .transform((level) => level.toLowerCase())
    .refine((level) => Object.hasOwn(logLevels, level), 'must be one of debug, info, warning, error')
    .transform((level) => logLevels[level as LogLevelName]),
  SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 3_600, 10),
  MAX_CONCURRENT_JOBS: wholeNumber(1, 100, 2),
  ACCESS_TOKEN_EXPIRE_MINUTES: wholeNumber(1, 525_600, 1_440),
  REQUIRE_SECOND_FACTOR: z
    .enum(['off', 'admin', 'all'], { errorMap: () => ({ message: 'must be off, admin or all' }) })
    .default('off'),
  KVCACHE_URL: z.string().optional(),
  KVCACHE_HOST: z
    .string()
    .regex(/^[0-9A-Za-z.:_-]+$/, 'must be a host name, an IP address, or disabled')
    .optional(),
  KVCACHE_PORT: wholeNumber(1, 65_535, 6_379),
  KVCACHE_DB: wholeNumber(0, 9999, 0),
  KVCACHE_PASSWORD: z.string().optional(),
  CACHE_WARM_AFTER_BACKUP: flag,
  CACHE_TTL_SECONDS: wholeNumber(1, 31_536_000, 7_200),
  CACHE_MAX_SIZE_MB: wholeNumber(1, 1_048_576, 2_048),
  INDEX_MAX_MB: wholeNumber(0, 1_048_576, 2_048),
  SSH_DIR: z.string().optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{8,}$/, 'must have at least 8 characters and no spaces')
    .optional(),
  PLUGINS: z.string().default('').transform(listOf),
  AUDIT_RETENTION_DAYS: wholeNumber(0, 36_500, 730),
  HOLDFAST_TEST_PACE: z.enum(['usual', 'fast']).default('usual'),
  HOLDFAST_VALIDATE_RESPONSES: flag,
  ...limitVariables,
  ...signInVariables,
});

export interface Configuration extends OtherVariables, LimitSettings, SignInSettings {
  host: string;
  port: number;
  /** Absolute. */
  dataDirectory: string;
  initialAdminPassword: string | undefined;
  secretKey: string | undefined;
  /** Absolute path of the SQLite file. Not used if `databaseUrl` is set. */
  databaseFile: string;
  /** PostgreSQL URL. Secret: it may contain a password. */
  databaseUrl: string | undefined;
  /** False: the storage is SQLite in the data folder, or an added plugin. */
  databaseUrlGiven: boolean;
  /**
   * URI of the shared timer service. Without it, timers run in the process. Secret: it may contain a
   * password.
   */
  mongodbUri: string | undefined;
  /**
   * URL of the Apprise server for schemes other than webhooks. Without it, those schemes are not available.
   * Secret: it may contain a password.
   */
  appriseApiUrl: string | undefined;
  /** Networks that webhooks may reach although they contain link-local or metadata addresses. */
  notifyAllowedNetworks: string[];
  /** Address of a monitor that expects a regular request while everything is protected. Secret. */
  heartbeatUrl: string | undefined;
  /** When the weekly report is sent. */
  report: { cron: string; timeZone: string };
  /** Whether the web console is served. */
  console: boolean;
  /** Below which path a proxy publishes the service: `/holdfast`, or nothing for the root. */
  basePath: string;
  corsOrigins: string[];
  logLevel: (typeof logLevels)[LogLevelName];
  shutdownGraceSeconds: number;
  maxConcurrentJobs: number;
  accessTokenMinutes: number;
  /** Who must set up a second factor at the next sign-in. */
  requireSecondFactor: 'off' | 'admin' | 'all';
  /** External cache: `url`, or `host` if there is no URL. The password is a secret. */
  cache: {
    url: string | undefined;
    host: string | undefined;
    port: number;
    database: number;
    password: string | undefined;
    ttlSeconds: number;
    maxSizeMb: number;
    warmAfterBackup: boolean;
  };
  /** Limit of the index of archives, of all repositories; 0: none. */
  indexMaxMb: number;
  /** Absolute path of the folder with the files of the system key. */
  sshDirectory: string;
  /** Bearer token for /metrics; without it, /metrics is public. Secret. */
  metricsToken: string | undefined;
  /** Packages or folders of added plugins. Optional ones have the prefix `optional:`. */
  plugins: string[];
  /** How long audit entries are stored; 0: forever. */
  auditRetentionDays: number;
  validateResponses: boolean;
  pace: Pace;
}

/** Its name, if it is a PostgreSQL database at the usual port of this machine. */
export const ownDatabase = ({ databaseUrl }: Pick<Configuration, 'databaseUrl'>): string | undefined => {
  const [, name] =
    /^\w+:\/\/(?:[^@/]*@)?(?:localhost|127\.0\.0\.1|\[::1\])?(?::5432)?\/([^?]+)/i.exec(databaseUrl ?? '') ??
    [];
  return name && decodeURIComponent(name);
};

/** Paths that a restore must not write to, because they belong to the service itself. */
export const reservedPaths = ({
  dataDirectory,
  sshDirectory,
  databaseFile,
}: Pick<Configuration, 'dataDirectory' | 'sshDirectory' | 'databaseFile'>) => [
  { path: dataDirectory, what: 'the data folder of Holdfast' },
  { path: sshDirectory, what: 'the SSH folder of Holdfast' },
  ...['', '-wal', '-shm', '-journal'].map((end) => ({
    path: `${databaseFile}${end}`,
    what: 'the database of Holdfast',
  })),
];

/** Reads the environment. Empty variables count as unset. ConfigurationError names every invalid variable. */
export function readConfiguration(environment: NodeJS.ProcessEnv): Configuration {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    const lines = new Map(
      parsed.error.issues.map(({ path, message }) => [path[0], `${path[0]} ${message}.`]),
    );
    throw new ConfigurationError([...lines.values()].join('\n'));
  }
  const { data } = parsed;
  const missing = missingForSignIn(data);
  if (missing.length > 0) throw new ConfigurationError(missing.join('\n'));
  const dataDirectory = resolve(data.DATA_DIR);
  return {
    host: data.HOST,
    port: data.PORT,
    dataDirectory,
    initialAdminPassword: data.INITIAL_ADMIN_PASSWORD,
    secretKey: data.SECRET_KEY,
    databaseFile: resolve(sqliteFile(data.DATABASE_URL ?? '') ?? resolve(dataDirectory, 'holdfast.db')),
    databaseUrl: isPostgresUrl(data.DATABASE_URL ?? '') ? data.DATABASE_URL : undefined,
    databaseUrlGiven: data.DATABASE_URL !== undefined,
    mongodbUri: data.MONGODB_URI,
    appriseApiUrl: data.APPRISE_API_URL,
    notifyAllowedNetworks: data.NOTIFY_ALLOWED_NETWORKS,
    heartbeatUrl: data.HEARTBEAT_URL,
    report: { cron: data.REPORT_CRON, timeZone: data.REPORT_TIMEZONE },
    console: data.CONSOLE,
    basePath: data.BASE_PATH,
    corsOrigins: data.CORS_ORIGINS,
    logLevel: data.LOG_LEVEL,
    shutdownGraceSeconds: data.SHUTDOWN_GRACE_SECONDS,
    maxConcurrentJobs: data.MAX_CONCURRENT_JOBS,
    accessTokenMinutes: data.ACCESS_TOKEN_EXPIRE_MINUTES,
    requireSecondFactor: data.REQUIRE_SECOND_FACTOR,
    cache: {
      url: data.KVCACHE_URL,
      host: data.KVCACHE_HOST,
      port: data.KVCACHE_PORT,
      database: data.KVCACHE_DB,
      password: data.KVCACHE_PASSWORD,
      ttlSeconds: data.CACHE_TTL_SECONDS,
      maxSizeMb: data.CACHE_MAX_SIZE_MB,
      warmAfterBackup: data.CACHE_WARM_AFTER_BACKUP,
    },
    indexMaxMb: data.INDEX_MAX_MB,
    sshDirectory: resolve(data.SSH_DIR ?? join(homedir(), '.ssh')),
    metricsToken: data.METRICS_TOKEN,
    plugins: data.PLUGINS,
    ...readLimits(data),
    ...readSignIn(data),
    ...readOtherVariables(given, Object.keys(variables.shape)),
    auditRetentionDays: data.AUDIT_RETENTION_DAYS,
    pace: paces[data.HOLDFAST_TEST_PACE],
    validateResponses: data.HOLDFAST_VALIDATE_RESPONSES || environment.NODE_ENV === 'test',
  };
}

/**
 * `sqlite:file`, `sqlite:///absolute`, `sqlite:/absolute`; null for any other form, an empty name or a query.
 */
function sqliteFile(url: string): string | null {
  const match = /^sqlite:(?:\/\/(?=\/))?([^?#\0]+)$/i.exec(url);
  const file = match?.[1];
  if (!file || file.startsWith('//') || file.includes(':memory:') || file.endsWith('/')) return null;
  return file;
}
