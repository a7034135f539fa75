import { z } from 'zod';
import { id, message, timestamp } from '../common.js';
import * as field from './fields.js';
import { cron, newTimezone } from './schedule-fields.js';
import { codedReason, reasonCode } from './sentence.js';

const passphrase = z
  .string()
  .min(12, 'must have at least 12 characters')
  .max(1024, 'must have at most 1024 characters')
  .openapi({ format: 'password', description: 'Encrypts the secrets. It is not stored: keep it.' });

/** What becomes, or became, of one object. */
export const importedObject = z.object({
  section: z.string().openapi({ example: 'repositories' }),
  key: z.string().openapi({
    description: 'Identifies the same object in every installation.',
    example: 'nightly',
  }),
  name: field.repositoryName,
  action: z.enum(['create', 'change', 'unchanged', 'cannot']),
  fields: z
    .array(z.string())
    .openapi({ description: 'The fields that change.', example: ['prune_keep_daily'] }),
  reason: z.string().nullable().openapi({ description: 'Why it cannot be imported.' }),
  ...reasonCode,
});
export const importCounts = z.object({
  create: z.number().int(),
  change: z.number().int(),
  unchanged: z.number().int(),
  cannot: z.number().int(),
});
const dryRun = z.boolean().default(false).openapi({
  description: 'Only shows the changes; nothing is changed.',
});
const imported = {
  success: z.literal(true),
  dry_run: z.boolean(),
  message,
  counts: importCounts,
  objects: z.array(importedObject),
};

const replaceSources = z
  .boolean()
  .default(false)
  .openapi({
    description:
      'Allows replacing the sources that a repository or source set backs up now. Without it, such an ' +
      'object is rejected.',
  });

export const settingsDocument = z
  .object({
    format: z.literal('holdfast-settings'),
    version: z.literal(1),
    made_at: timestamp.optional(),
    made_by: z.string().optional(),
  })
  .passthrough()
  .openapi({
    description:
      'Sections with a list of objects each. Objects refer to each other by Borg ids, names and addresses, ' +
      'never by Holdfast ids.',
    example: { format: 'holdfast-settings', version: 1, source_sets: [] },
  });
export const settingsExported = z.object({ success: z.literal(true), document: settingsDocument });
export const settingsSealing = z.object({ seal_passphrase: passphrase });
export const settingsImport = z.object({
  document: z.unknown().openapi({
    description: 'As returned by GET or POST /api/settings/export.',
    example: { format: 'holdfast-settings', version: 1, source_sets: [] },
  }),
  seal_passphrase: z
    .string()
    .max(1024, 'must have at most 1024 characters')
    .optional()
    .openapi({ format: 'password', description: 'Decrypts the secrets. Without it, they are skipped.' }),
  replace_sources: replaceSources,
  dry_run: dryRun,
});
export const settingsImported = z.object({
  ...imported,
  remark_codes: z.array(codedReason).openapi({
    description: 'The codes of `remarks`, in the same order.',
    example: [{ code: 'cache_settings_rejected', params: { problem: 'The cache cannot be reached.' } }],
  }),
  remarks: z.array(z.string()).openapi({
    description: 'Imported objects that do not work yet.',
    example: ['The cache cannot be reached. The previous settings stay in use.'],
  }),
});

const shownFile = z.string().openapi({ example: '/etc/borgmatic/config.yaml' });

const fileName = z
  .string()
  .min(1, 'must not be empty')
  .max(4096, 'must have at most 4096 characters')
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');
const fileText = z.string().max(512 * 1024, 'must have at most 524288 characters');

/** What a file refers to, and only the machine where it lies can tell. */
export const neededText = z.object({
  kind: z
    .enum(['include', 'variable', 'command', 'credential', 'file', 'paths', 'passphrase', 'ssh'])
    .openapi({
      description:
        '`include`: another file. `variable`: an environment variable. `command`: the output of a ' +
        'passcommand. `credential`: a credential, as borgmatic names it. `file`: patterns, excludes or a ' +
        'key. `paths`: the paths that match a path with `~`, wildcards or Borg placeholders, one per line. ' +
        '`passphrase`: of the repository at that path. `ssh`: the output of `ssh -G` for it.',
    }),
  name: z.string().openapi({ example: '/etc/borgmatic/common.yaml' }),
});
const answer = neededText.extend({
  name: fileName,
  text: fileText
    .nullable()
    .openapi({ description: 'Null: it does not exist, such as a variable that is not set.' }),
});

export const importerId = z
  .string()
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters')
  .default('borgmatic')
  .openapi({
    description:
      'Id of the importer to use: the built-in one, or one from an added plugin. For an unknown id, the ' +
      '400 response lists the available importers.',
  });

export const borgmaticImport = z
  .object({
    importer: importerId,
    files: z
      .array(z.object({ name: fileName, content: fileText }))
      .min(1, 'must have at least one entry')
      .max(100, 'must have at most 100 entries'),
    answers: z
      .array(answer)
      .max(1000, 'must have at most 1000 entries')
      .default([])
      .openapi({ description: 'The texts that an earlier call listed in `needs`.' }),
    take_over: z
      .boolean()
      .default(false)
      .openapi({
        description:
          'False: repositories are imported in observe mode, and nothing is scheduled. True: Holdfast ' +
          'takes over the backups; turn off borgmatic first.',
      }),
    cron_expression: cron.optional().openapi({
      description: 'When to back up. borgmatic files have no times: without it, schedules only run manually.',
    }),
    timezone: newTimezone,
    create_missing: z
      .boolean()
      .default(false)
      .openapi({ description: 'Creates repositories that do not exist yet.' }),
    without: z
      .array(z.string().min(1).max(100))
      .max(100, 'must have at most 100 entries')
      .default([])
      .openapi({
        description:
          'Features of the files that Holdfast will not provide, accepted by name: the `accept_as` of ' +
          'lines, such as `databases`. Without it, `take_over` imports nothing from such a file.',
        example: ['databases'],
      }),
    replace_sources: replaceSources,
    dry_run: dryRun,
  })
  .openapi({
    example: {
      files: [
        {
          name: '/etc/borgmatic/config.yaml',
          content: 'repositories:\n  - path: /backups/home\nsource_directories:\n  - /home\nkeep_daily: 7\n',
        },
      ],
      answers: [{ kind: 'passphrase', name: '/backups/home', text: 'correct horse battery staple' }],
      dry_run: true,
    },
  });
export const borgmaticLine = z.object({
  file: shownFile,
  line: z.number().int(),
  key: z.string().openapi({ example: 'retention.keep_daily' }),
  result: z.enum(['taken', 'changed', 'left_out']),
  reason: z.string().nullable().openapi({ description: 'Why it was changed or skipped.' }),
  ...reasonCode,
  accept_as: z
    .string()
    .nullable()
    .openapi({
      description:
        'Holdfast would back up, keep or report less: `take_over` imports nothing from the file unless ' +
        '`without` has this name.',
      example: 'databases',
    }),
});
export const borgmaticImported = z.object({
  ...imported,
  counts: importCounts.extend({
    options_left_out: z.number().int().openapi({ description: 'Options of the files that are skipped.' }),
  }),
  objects: z.array(importedObject.extend({ file: shownFile })),
  lines: z
    .array(borgmaticLine)
    .openapi({ description: 'How each option was handled, in the order of the files.' }),
  needs: z
    .array(neededText.extend({ file: shownFile, line: z.number().int() }))
    .openapi({ description: 'Texts that are missing: send them as `answers`.' }),
});

export const borgmaticExported = z.object({
  success: z.literal(true),
  files: z.array(
    z.object({
      name: z.string().openapi({ example: 'home.yaml' }),
      content: z.string().openapi({ example: 'repositories:\n  - path: "/backups/home"\n' }),
    }),
  ),
  notes: z
    .array(
      z.object({
        file: z.string().openapi({ example: 'home.yaml' }),
        reason: z.string().openapi({ example: 'borgmatic files name no times.' }),
        ...reasonCode,
      }),
    )
    .openapi({ description: 'Settings that the file cannot express, or expresses differently.' }),
});
export const borgmaticExportInput = z.object({
  importer: importerId,
  repository_ids: z
    .array(id)
    .max(1000, 'must have at most 1000 entries')
    .optional()
    .openapi({ description: 'Default: all repositories.' }),
  secrets: z
    .boolean()
    .default(false)
    .openapi({ description: 'Writes passphrases and service URLs to the files.' }),
});

export type ImportedObject = z.infer<typeof importedObject>;
export type ImportCounts = z.infer<typeof importCounts>;
export type SettingsExported = z.infer<typeof settingsExported>;
export type SettingsImport = z.infer<typeof settingsImport>;
export type SettingsImported = z.infer<typeof settingsImported>;
export type NeededText = z.infer<typeof neededText>;
export type BorgmaticAnswer = z.infer<typeof answer>;
export type BorgmaticImport = z.infer<typeof borgmaticImport>;
export type BorgmaticImported = z.infer<typeof borgmaticImported>;
export type BorgmaticLine = z.infer<typeof borgmaticLine>;
export type BorgmaticExported = z.infer<typeof borgmaticExported>;
export type BorgmaticExportInput = z.infer<typeof borgmaticExportInput>;
