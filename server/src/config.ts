import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type LimitSettings, limitVariables, readLimits } from './limit-variables.js';
import { type OtherVariables, readOtherVariables } from './other-variables.js';
import { isNetwork, listOf, wholeNumber } from './variable-forms.js';

/** One line for each bad variable, each a sentence that names it. */
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

const isPostgresUrl = (url: string) => /^postgres(ql)?:\/\/\S+$/i.test(url);

const flag = z
  .enum(['0', '1', 'false', 'true'], { errorMap: () => ({ message: 'must be 0 or 1' }) })
  .default('0')
  .transform((text) => text === '1' || text === 'true');

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
      `must have at least ${minimalSecretKey} characters; leave it out to have a key made for you`,
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
  KVCACHE_URL: z.string().optional(),
  KVCACHE_HOST: z
    .string()
    .regex(/^[0-9A-Za-z.:_-]+$/, 'must be a host name, an IP address, or disabled')
    .optional(),
  KVCACHE_PORT: wholeNumber(1, 65_535, 6_379),
  KVCACHE_DB: wholeNumber(0, 15, 0),
  KVCACHE_PASSWORD: z.string().optional(),
  CACHE_WARM_AFTER_BACKUP: flag,
  CACHE_TTL_SECONDS: wholeNumber(1, 31_536_000, 7_200),
  CACHE_MAX_SIZE_MB: wholeNumber(1, 1_048_576, 2_048),
  SSH_DIR: z.string().optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{8,}$/, 'must have at least 8 characters, without blanks')
    .optional(),
  PLUGINS: z.string().default('').transform(listOf),
  AUDIT_RETENTION_DAYS: wholeNumber(0, 36_500, 730),
  HOLDFAST_VALIDATE_RESPONSES: flag,
  ...limitVariables,
});

export interface Configuration extends OtherVariables, LimitSettings {
  host: string;
  port: number;
  /** Absolute. */
  dataDirectory: string;
  initialAdminPassword: string | undefined;
  secretKey: string | undefined;
  /** Absolute. Of SQLite; not used where there is a `databaseUrl`. */
  databaseFile: string;
  /** Of PostgreSQL. A secret: it may hold a password. */
  databaseUrl: string | undefined;
  /** False: the storage is the one of the data folder, or that of an added plugin. */
  databaseUrlGiven: boolean;
  /** Of the shared timer service; without it timers stay in the process. A secret: it may hold a password. */
  mongodbUri: string | undefined;
  /** Of the server that delivers what is no webhook; without it those schemes are not offered. A secret, as above. */
  appriseApiUrl: string | undefined;
  /** Networks to which webhooks may go though they hold link-local or metadata addresses. */
  notifyAllowedNetworks: string[];
  corsOrigins: string[];
  logLevel: (typeof logLevels)[LogLevelName];
  shutdownGraceSeconds: number;
  maxConcurrentJobs: number;
  accessTokenMinutes: number;
  /** `url` of an external store, else its host; a password is a secret. */
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
  /** Absolute. Where the files of the system key stand. */
  sshDirectory: string;
  /** Whoever reads /metrics must bring it; without it anybody may. A secret. */
  metricsToken: string | undefined;
  /** Packages or folders beside the built-in plugins, each with `optional:` before it where it is. */
  plugins: string[];
  /** Entries of the audit trail; 0: for ever. */
  auditRetentionDays: number;
  validateResponses: boolean;
}

/** What no restore may write into: whoever overwrites it overwrites the service. */
export const reservedPaths = ({
  dataDirectory,
  sshDirectory,
  databaseFile,
}: Pick<Configuration, 'dataDirectory' | 'sshDirectory' | 'databaseFile'>) => [
  { path: dataDirectory, what: 'the data folder of the service' },
  { path: sshDirectory, what: 'the SSH folder of the service' },
  ...['', '-wal', '-shm', '-journal'].map((end) => ({
    path: `${databaseFile}${end}`,
    what: 'the database of the service',
  })),
];

/** Reads the environment once. An empty variable counts as absent. ConfigurationError names every bad one. */
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
    corsOrigins: data.CORS_ORIGINS,
    logLevel: data.LOG_LEVEL,
    shutdownGraceSeconds: data.SHUTDOWN_GRACE_SECONDS,
    maxConcurrentJobs: data.MAX_CONCURRENT_JOBS,
    accessTokenMinutes: data.ACCESS_TOKEN_EXPIRE_MINUTES,
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
    sshDirectory: resolve(data.SSH_DIR ?? join(homedir(), '.ssh')),
    metricsToken: data.METRICS_TOKEN,
    plugins: data.PLUGINS,
    ...readLimits(data),
    ...readOtherVariables(given, Object.keys(variables.shape)),
    auditRetentionDays: data.AUDIT_RETENTION_DAYS,
    validateResponses: data.HOLDFAST_VALIDATE_RESPONSES || environment.NODE_ENV === 'test',
  };
}

/**
 * `sqlite:file`, `sqlite:///absolute`, `sqlite:/absolute`; null for another form, an empty name or a query.
 */
function sqliteFile(url: string): string | null {
  const match = /^sqlite:(?:\/\/(?=\/))?([^?#\0]+)$/i.exec(url);
  const file = match?.[1];
  if (!file || file.startsWith('//') || file.includes(':memory:') || file.endsWith('/')) return null;
  return file;
}
