import { z } from 'zod';
import { id, message, nameText, timestamp } from '../common.js';
import * as field from './fields.js';
import { openErrorCode, reasonCode } from './sentence.js';
import { sources } from './source.js';
import { lineOf, wellFormed, withoutNul } from './text-line.js';

/** Maximum size of a key file, in bytes; with `--qr-html`, borg exports 67,000. */
export const keyFileLimit = 256 * 1024;

const maxScript = 256 * 1024;
const patternSize = 4096;
/** At most one day, in seconds. */
const timeout = z
  .number()
  .int()
  .min(1, 'must be from 1 to 86400 seconds')
  .max(86_400, 'must be from 1 to 86400 seconds');

const line = lineOf(patternSize);
const script = z
  .string()
  .max(maxScript, `must have at most ${maxScript} characters`)
  .refine(withoutNul, 'must not contain NUL');

export const customFlags = lineOf(65_536).nullable().optional().openapi({
  description: 'Additional flags for the command that creates archives. At most 65,536 characters.',
  example: '--one-file-system',
});

export const encryption = z.enum(['repokey', 'keyfile', 'repokey-blake2', 'keyfile-blake2', 'none']);
export const repositoryMode = z.enum(['full', 'observe']);

const name = nameText.refine(wellFormed, 'must be well-formed Unicode');
const path = z
  .string()
  .min(1, 'must not be empty')
  .openapi({
    description:
      'Absolute, or relative to the data directory. With `connection_id`: absolute on that host, or relative to ' +
      'the home directory with a leading `./`; responses show it as `ssh://user@host:port/path`. No `..` or ' +
      'empty segments.',
    example: '/backups/home',
  });
/** Whatever Borg takes, line breaks too. */
const anyPassphrase = z
  .string()
  .max(65_536, 'must have at most 65536 characters')
  .refine(withoutNul, 'must not contain NUL')
  .refine(wellFormed, 'must be well-formed Unicode');
const passphrase = anyPassphrase.nullable().optional().openapi({
  format: 'password',
  description: 'Required unless encryption is `none`. May have line breaks. Never returned.',
});
const compression = z
  .string()
  .max(40, 'is too long')
  .openapi({
    description:
      '`lz4`, `zstd`, `zlib`, `lzma` or `none`. All but `lz4` and `none` accept a level: `zstd,10`. ' +
      'Optional prefixes: `obfuscate,110,` (or another number from 1 to 6 or 110 to 123) and `auto,`.',
    example: 'lz4',
  });
export const sourceDirectories = z
  .array(line)
  .max(1000, 'must have at most 1000 entries')
  .openapi({
    description: 'Absolute paths. None are needed if there are `sources`.',
    example: ['/home'],
  });
export const excludePatterns = z
  .array(lineOf(patternSize, { mayBeEmpty: false }))
  .max(10_000, 'must have at most 10000 entries');

/** Null and an empty string both mean none. */
const texts = {
  remote_path: line
    .refine((text) => !text.trim().startsWith('-'), 'must not begin with a dash')
    .nullable()
    .optional(),
  pre_backup_script: script.nullable().optional(),
  post_backup_script: script.nullable().optional(),
  custom_flags: customFlags,
};
/** At most ten years, in hours. */
const freshness = z
  .number()
  .int()
  .min(1, 'must be from 1 to 87600 hours')
  .max(87_600, 'must be from 1 to 87600 hours')
  .nullable()
  .optional()
  .openapi({
    description:
      'Age limit: maximum age of the newest archive, in hours. Null: derived from the enabled schedules.',
    example: 26,
  });
const shrinkWarning = z
  .number()
  .int()
  .min(0, 'must be from 0 to 100 percent')
  .max(100, 'must be from 0 to 100 percent')
  .openapi({
    description:
      'A backup ends with a warning if its files or bytes shrank by more than this since the last complete ' +
      'backup. 0: never.',
    example: 50,
  });
const massChangePercent = z
  .number()
  .int()
  .min(0, 'must be from 0 to 100 percent')
  .max(100, 'must be from 0 to 100 percent')
  .openapi({
    description:
      'Pruning pauses after a backup that changed or removed more than this part of all files, until the ' +
      'changes are accepted. It also pauses if 80 % of all files got a new extension. 0: never.',
    example: 50,
  });
const massChangeFiles = z
  .number()
  .int()
  .min(1, 'must be from 1 to 1000000000')
  .max(1_000_000_000, 'must be from 1 to 1000000000')
  .openapi({
    description: '`mass_change_percent` counts if the archive before has at least as many files.',
    example: 1000,
  });
const leftOut = z
  .array(z.string().min(1).max(100))
  .max(100, 'must have at most 100 entries')
  .nullable()
  .optional()
  .openapi({
    description:
      'Data that was backed up before Holdfast took over the repository, but is not now. Null once this is ' +
      'fixed.',
    example: ['databases'],
  });
const connections = {
  connection_id: id
    .nullable()
    .optional()
    .openapi({ description: 'SSH connection to the host of the repository.' }),
  source_connection_id: id.nullable().optional().openapi({
    description: 'SSH connection to the host whose `source_directories` are backed up. None: this server.',
  }),
  source_set_id: id
    .nullable()
    .optional()
    .openapi({
      description:
        'Source set that provides `source_directories`, `exclude_patterns`, `sources` and `source_connection_id`; ' +
        'they cannot be set together with it. Null: the values of a set that was used before are kept.',
    }),
};

const settings = {
  ...texts,
  ...connections,
  compression: compression.default('lz4'),
  source_directories: sourceDirectories.default([]),
  exclude_patterns: excludePatterns.default([]),
  sources: sources.default([]),
  hook_timeout: timeout.default(300),
  pre_hook_timeout: timeout.default(300),
  post_hook_timeout: timeout.default(300),
  continue_on_hook_failure: z.boolean().default(false),
  mode: repositoryMode.default('full'),
  bypass_lock: z.boolean().default(false).openapi({ description: 'Observe mode only.' }),
  freshness_hours: freshness,
  shrink_warning_percent: shrinkWarning.default(90),
  mass_change_percent: massChangePercent.default(50),
  mass_change_files: massChangeFiles.default(1000),
  left_out: leftOut,
  tags: field.tags.default([]),
};

export const newRepository = z.object({
  name,
  path,
  passphrase,
  encryption: encryption.default('repokey'),
  ...settings,
});

export const repositoryToImport = z.object({
  name,
  path,
  passphrase,
  keyfile_content: z
    .string()
    .max(keyFileLimit, `must have at most ${keyFileLimit} bytes`)
    .nullable()
    .optional()
    .openapi({
      description: 'Content of the key file, for `keyfile` encryption modes.',
    }),
  ...settings,
});

/** Absent fields are not changed; null clears nullable fields. */
export const repositoryChanges = z.object({
  ...texts,
  ...connections,
  name: name.optional(),
  path: path.optional(),
  compression: compression.optional(),
  source_directories: sourceDirectories.optional(),
  exclude_patterns: excludePatterns.optional(),
  sources: sources.optional(),
  hook_timeout: timeout.optional(),
  pre_hook_timeout: timeout.optional(),
  post_hook_timeout: timeout.optional(),
  continue_on_hook_failure: z.boolean().optional(),
  mode: repositoryMode.optional(),
  bypass_lock: z.boolean().optional(),
  freshness_hours: freshness,
  shrink_warning_percent: shrinkWarning.optional(),
  mass_change_percent: massChangePercent.optional(),
  mass_change_files: massChangeFiles.optional(),
  left_out: leftOut,
  tags: field.tags.optional(),
});

export const newPassphrase = z.object({
  passphrase: anyPassphrase
    .refine((text) => text !== '', 'must not be empty')
    .openapi({ format: 'password', description: 'Never returned.', example: 'a long passphrase' }),
});

export const passphraseChange = z.object({
  passphrase: anyPassphrase
    .refine((text) => text.trim() !== '', 'must not be blank')
    .openapi({
      format: 'password',
      description: 'The new one. Never returned.',
      example: 'a new passphrase',
    }),
});
export type PassphraseChange = z.infer<typeof passphraseChange>;

export const identityAcceptance = z.object({
  confirm_name: z
    .string()
    .openapi({ description: 'The name of the repository, as a confirmation.', example: 'Home' }),
  repository_id: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must have 64 hexadecimal digits')
    .optional()
    .openapi({
      description: 'The Borg id of the expected repository. Any other repository is rejected.',
    }),
  passphrase: passphrase.openapi({
    format: 'password',
    description: 'Passphrase of the other repository, if it differs from the stored one. Never returned.',
  }),
});

const repositoryIdentity = z.object({
  repository_id: z.string().openapi({ example: '9f3c'.repeat(16) }),
  encryption: z.string().openapi({ example: 'repokey-blake2' }),
});

const hookText = z.string().nullable().openapi({
  description: '`***` unless the caller is an administrator. Sending `***` back does not change it.',
});

const bytes = z.number().int().min(0).nullable();

const comparedArchive = z.object({ id: field.archiveId, name: field.archiveName });

export const massChange = z.object({
  job_id: id.openapi({ description: 'The backup.' }),
  at: timestamp,
  archive: comparedArchive,
  before: comparedArchive.openapi({ description: 'The archive that it was compared with.' }),
  files_before: z.number().int().openapi({ example: 1200 }),
  changed: z.number().int().openapi({ example: 40 }),
  removed: z.number().int().openapi({ example: 1100 }),
  renamed: z.number().int().openapi({
    example: 1100,
    description: 'Removed files whose folder got a file with the same name and another extension.',
  }),
  folders: z
    .array(
      z.object({
        path: field.filePath.openapi({ example: 'home/ann/letters' }),
        changed: z.number().int().openapi({ example: 40 }),
        removed: z.number().int().openapi({ example: 600 }),
        examples: z.array(z.string()).openapi({ example: ['march.txt'] }),
      }),
    )
    .openapi({
      description: 'With most of them first; none for users without the right Restore.',
    }),
});

export const repositoryView = z.object({
  id,
  name: field.repositoryName,
  path: field.repositoryPath,
  encryption: z.enum([...encryption.options, 'authenticated', 'authenticated-blake2']),
  compression: z.string().openapi({ example: 'lz4' }),
  source_directories: z.array(z.string()).openapi({ example: ['/home'] }),
  exclude_patterns: z.array(z.string()).openapi({ example: ['*.tmp'] }),
  sources,
  repository_type: z.enum(['local', 'ssh']),
  host: z.string().nullable(),
  port: z.number().int().nullable(),
  username: z.string().nullable(),
  ssh_key_id: id.nullable(),
  connection_id: id.nullable(),
  source_ssh_connection_id: id.nullable(),
  source_set_id: id.nullable().openapi({
    description: 'Source set that provides the sources and the exclude patterns.',
    example: 1,
  }),
  remote_path: z.string().nullable(),
  last_backup: timestamp.nullable(),
  last_check: timestamp.nullable(),
  last_compact: timestamp.nullable(),
  total_size: z.string().nullable().openapi({
    description: 'Compressed, deduplicated size on disk; null until known.',
    example: '1.59 GB',
  }),
  total_size_bytes: bytes.openapi({ description: '`total_size` in bytes.' }),
  free_bytes: bytes.openapi({
    description:
      'Free space at the location of the repository, as last seen: after its last backup, prune or ' +
      'compact; on another host when the storage of its connection was last read. Null until known.',
  }),
  location_total_bytes: bytes.openapi({ description: 'Used plus free space at the location.' }),
  location_as_of: timestamp.nullable().openapi({ description: 'When the free space was last seen.' }),
  archive_count: z.number().int().openapi({ example: 31 }),
  created_at: timestamp,
  updated_at: timestamp,
  pre_backup_script: hookText,
  post_backup_script: hookText,
  hook_timeout: z.number().int(),
  pre_hook_timeout: z.number().int(),
  post_hook_timeout: z.number().int(),
  continue_on_hook_failure: z.boolean(),
  mode: repositoryMode,
  bypass_lock: z.boolean(),
  custom_flags: z.string().nullable().openapi({ example: '--one-file-system' }),
  freshness_hours: z.number().int().nullable(),
  shrink_warning_percent: z.number().int(),
  mass_change_percent: z.number().int().openapi({ example: 50 }),
  mass_change_files: z.number().int().openapi({ example: 1000 }),
  left_out: z.array(z.string()).nullable().openapi({ example: null }),
  tags: field.tagsView,
  has_running_maintenance: z.boolean(),
  has_keyfile: z.boolean(),
  self_backup: z.boolean().openapi({ description: 'It contains the backup of Holdfast itself.' }),
  open_error: z.string().nullable().openapi({
    description: 'Why Borg could not open it at the last attempt; null if it could.',
  }),
  ...openErrorCode,
  open_error_at: timestamp.nullable().openapi({ description: 'Since when it cannot be opened.' }),
  append_only: z.boolean().openapi({
    description:
      'As of the last compact: removed archives keep their space (borg serve --append-only, or its config).',
  }),
  unsigned_archives: z.number().int().openapi({
    description:
      'Archives without a valid signature that the installed Borg still reads: see `sign-archives`.',
  }),
  mass_change: massChange.nullable().openapi({
    description:
      'A backup that changed or removed most files. Until `accept-changes` is called, no schedule prunes the ' +
      'repository.',
  }),
  open_error_kind: z
    .string()
    .nullable()
    .openapi({
      description:
        'The reason as one word: `passphrase_wrong`, `key_missing`, `repository_missing`, ' +
        '`not_a_repository`, `other_repository`, `older_state` (restored from a copy: accept its ' +
        'identity), `archive_unsigned` (sign the archives); and, while it can be read but not written, ' +
        '`no_space`, `quota` or `repository_quota`.',
    }),
});

export const identityAccepted = z.object({
  success: z.literal(true),
  message,
  before: repositoryIdentity,
  after: repositoryIdentity,
  repository: repositoryView,
});

export const repositoryTested = z.object({
  success: z.boolean(),
  opens: z.boolean(),
  message: z.string().openapi({ example: 'The repository cannot be opened.' }),
  reason: z.string().nullable().openapi({
    description: 'Human-readable reason why it cannot be opened.',
    example: 'The passphrase is wrong.',
  }),
  ...reasonCode,
  code: z.string().nullable().openapi({
    description: 'Machine-readable reason.',
    example: 'passphrase_wrong',
  }),
});

/**
 * The response to creating or changing a repository. `warnings` names the fields of the body that were
 * ignored.
 */
export const repositoryWritten = z.object({
  success: z.literal(true),
  message,
  repository: repositoryView,
  warnings: z.array(z.string()).optional(),
});

/** What the removal of a registration switches off. */
export const switchedOff = z.object({
  schedules: z.array(
    z.object({
      id,
      name: field.scheduleName,
      disabled: z.boolean().openapi({ description: 'It had no other repository, so it was disabled.' }),
    }),
  ),
  check_schedule: z.boolean().openapi({ description: 'Its regular checks were disabled.' }),
  drill_schedule: z.boolean().openapi({ description: 'Its regular restore drills were disabled.' }),
  notifications: z
    .array(z.object({ id, name: z.string().openapi({ example: 'Chat' }) }))
    .openapi({ description: 'Enabled channels that were only for this repository.' }),
});
export type SwitchedOff = z.infer<typeof switchedOff>;

export type IdentityAcceptance = z.infer<typeof identityAcceptance>;
export type NewRepository = z.infer<typeof newRepository>;
export type RepositoryToImport = z.infer<typeof repositoryToImport>;
export type RepositoryChanges = z.infer<typeof repositoryChanges>;
export type RepositoryView = z.infer<typeof repositoryView>;
export type RepositoryWritten = z.infer<typeof repositoryWritten>;
