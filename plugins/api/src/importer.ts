/** The API for importers: they read the configuration files of another backup tool, and may write them too. */

import { z } from 'zod';

const message = z.object({
  code: z.string().min(1),
  params: z.record(z.union([z.string(), z.number(), z.array(z.string()).readonly()])),
  text: z.string().min(1),
});
const place = z.object({ file: z.string(), line: z.number().int() });
/** A setting of the other tool: `key` as it is written, `name` without the sections that it stands in. */
const option = place.extend({ key: z.string(), name: z.string() });
const address = { username: z.string().nullable(), host: z.string(), port: z.number().int() };

const repository = z.object({
  option,
  /** As it is written: answers name it so. */
  text: z.string(),
  /** What it is called if the service does not know it yet. */
  name: z.string(),
  place: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('local'), path: z.string() }),
    /** `via`: the host or command by which ssh gets there. `written`: the address in the file, before aliases. */
    z.object({
      kind: z.literal('ssh'),
      path: z.string(),
      ...address,
      via: z.string().nullable(),
      written: z.object(address),
    }),
    z.object({ kind: z.literal('unsupported'), scheme: z.string() }),
    /** It has placeholders that only the other tool fills in. */
    z.object({ kind: z.literal('unnamed'), text: z.string() }),
  ]),
  /** `awaited`: the file says where the passphrase comes from, and that is among the `needs`. */
  secrets: z.object({
    passphrase: z.string().nullable(),
    keyFile: z.string().nullable(),
    awaited: z.boolean(),
  }),
  /** The encryption that a new one gets; null: the usual one. */
  encryption: z.string().nullable(),
  /** Fields of the section `repositories`. */
  settings: z.record(z.unknown()),
});

const line = z.object({
  option,
  /** `lost`: less would be saved, kept or told than by the other tool. */
  result: z.enum(['taken', 'changed', 'left_out', 'lost']),
  why: message.nullable(),
  /** Of a loss: the name by which a person accepts it; null: it can't be accepted. */
  accept_as: z.string().nullable(),
});

const file = z.object({
  /** What names of things made from the file begin with. */
  base: z.string().min(1),
  repositories: z.array(repository),
  /** What becomes of each option, in their order. */
  report: z.array(line),
  /** Objects of a settings document, for the repositories that the environment says are there. */
  settings: z.array(
    z.object({ section: z.string(), value: z.record(z.unknown()), option: option.nullable() }),
  ),
});

const need = place.extend({
  kind: z.enum(['include', 'variable', 'command', 'credential', 'file', 'paths', 'passphrase', 'ssh']),
  name: z.string(),
  /** It does without: a variable with a default. */
  optional: z.boolean(),
});
/** A field of the section `repositories`, and a value for it. */
const check = z.object({ kind: z.enum(['custom_flags', 'compression']), text: z.string() });

/** What an importer answers; hosts and the conformance suite check answers with it. */
export const importReading = z.object({
  /** One for each file that was given, in their order. */
  files: z.array(file),
  /** What the files refer to, and only the machine where they lie can tell. */
  needs: z.array(need).max(1000),
  /** What the service has to judge: the environment of the next reading has its verdicts. */
  checks: z.array(check),
  /** Texts that must never be shown, such as passphrases and service URLs. */
  secrets: z.array(z.string()),
  /** Why nothing can be imported: a file that can't be read. Everything else is then ignored. */
  unreadable: place.extend({ problem: z.string() }).nullable(),
});

export const writtenFiles = z.object({
  files: z.array(z.object({ name: z.string().regex(/^[^/\0]+$/), content: z.string() })),
  /** What a file cannot say, or says differently. */
  notes: z.array(z.object({ file: z.string(), note: message })),
});

export type ImportReading = z.infer<typeof importReading>;
export type ImportedFile = z.infer<typeof file>;
export type ImportedRepository = z.infer<typeof repository>;
export type ImportedOption = z.infer<typeof option>;
export type ImportLine = z.infer<typeof line>;
export type ImportNeed = z.infer<typeof need>;
export type ImportCheck = z.infer<typeof check>;
export type WrittenFiles = z.infer<typeof writtenFiles>;

export interface ImportFile {
  /** Absolute, where it lies; nobody opens it. */
  name: string;
  content: string;
}

/** All that an importer knows apart from the files. */
export interface ImportEnvironment {
  /** To earlier `needs`. A text of null: there is none, such as a variable that is not set. */
  answers: readonly (Pick<ImportNeed, 'kind' | 'name'> & { text: string | null })[];
  /** To earlier `checks`: what is wrong; null: nothing. */
  verdicts: readonly (ImportCheck & { problem: z.infer<typeof message> | null })[];
  /** The service makes the backups from now on; otherwise it only observes the repositories. */
  takeOver: boolean;
  /** When it makes them; null: only manually. */
  cron: string | null;
  timezone: string;
  /** For each file, once the service has looked: what names begin with, and the repositories that are there. */
  found: readonly { base: string; repositories: readonly FoundRepository[] }[] | null;
}

export interface FoundRepository {
  /** Its position among the `repositories` of the file. */
  position: number;
  /** The id that the backup tool gave it: settings name it so. */
  id: string;
  name: string;
  path: string;
  encryption: string;
  /** As settings name it; null on the machine of the service. */
  connection: string | null;
  /** The service makes its backups already. */
  isFull: boolean;
  /** What a person accepted as not being backed up any more. */
  leftOut: readonly string[];
}

/** A repository whose settings leave the service for the other tool. Snake case: fields of a settings document. */
export interface LeavingRepository {
  name: string;
  path: string;
  encryption: string;
  compression: string;
  remote_path: string | null;
  source_directories: readonly string[];
  exclude_patterns: readonly string[];
  /** Databases and containers. Settings of null are secret and stay here. */
  sources: readonly {
    kind: string;
    name: string;
    container: string | null;
    settings: Readonly<Record<string, string | null>>;
  }[];
  /** Flags for the tool that makes archives, one word each. */
  flags: readonly string[];
  isObserved: boolean;
  isRemote: boolean;
  /** Its sources lie on another host. */
  isPulled: boolean;
  /** The one that removes archives, or the first. */
  schedule: LeavingSchedule | null;
  /** How many others there are. */
  otherSchedules: number;
  check: { maxDuration: number; verifyData: boolean; everyDays: number } | null;
  /** Scripts. Variables of null are secret and stay here. */
  hooks: readonly {
    type: 'pre-backup' | 'post-backup';
    runOn: 'always' | 'success' | 'failure' | 'warning';
    content: string;
    variables: Readonly<Record<string, string | null>>;
  }[];
  /** A URL of null is secret and stays here. */
  channels: readonly { name: string; url: string | null; states: readonly string[] }[];
  passphrase: string | null;
}

interface LeavingSchedule extends Record<KeepRule, number> {
  name: string;
  cron_expression: string | null;
  timezone: string;
  archive_name_template: string | null;
  run_prune_after: boolean;
  run_compact_after: boolean;
  prune_keep_within: string | null;
}
type KeepRule = `prune_keep_${'hourly' | 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly'}`;

/**
 * Reads files of another backup tool. Pure: the same files and environment give the same answer, nothing else is
 * read, and neither is changed. What is wrong with a file is reported, never thrown.
 *
 * The service asks again as long as there are new `checks` or answers; `settings` are wanted once `found` is given.
 */
export interface Importer {
  read(files: readonly ImportFile[], environment: ImportEnvironment): ImportReading | Promise<ImportReading>;
  /** Optional: the way back. With `secrets`, the files hold them; otherwise they name places for them. */
  write?(
    repositories: readonly LeavingRepository[],
    options: { secrets: boolean },
  ): WrittenFiles | Promise<WrittenFiles>;
}
