/** The API for sources: they make running databases, containers and file systems safe to back up. */

import { type Duplex, pipeline, type Readable, Transform } from 'node:stream';
import type { SourceHost } from './backup-driver.js';
import type { ServiceField } from './notification.js';
import type { Finding } from './plugin-life.js';

/** Values of the fields of a source. Fields without a value are absent. */
export type SourceSettings = Readonly<Record<string, string>>;

/** `lines`: one value per line. `choice`: one of the `choices`. */
export interface SourceField extends Omit<ServiceField, 'kind'> {
  kind: ServiceField['kind'] | 'lines' | 'choice';
  choices?: readonly { value: string; label: string }[];
}

export interface Command {
  /** The program and its arguments. Each arrives as it is: there is no shell. Never put secrets here. */
  argv: readonly string[];
  /** Added to the environment of this one process: the place for secrets. */
  env?: Readonly<Record<string, string>>;
  /** Standard input; without it there is none. */
  input?: string | Readable;
}

export interface CommandResult {
  /** Null: a signal ended it. */
  code: number | null;
  /** At most 1 MiB each. */
  stdout: string;
  stderr: string;
}

/** Where programs can be started: this machine, a host that is reached over SSH, or the inside of a container. */
export interface ProgramHost extends Pick<SourceHost, 'name' | 'run'> {
  connect(address: string, options: { signal?: AbortSignal }): Promise<Duplex>;
}

/** Where the data is, with what a source needs. */
export interface CommandHost {
  /** For messages. */
  name: string;
  /** Whether it is the machine of the service. */
  isLocal: boolean;
  /**
   * Runs a program to its end, whatever its exit code. Rejects when it can't be started, when the connection breaks, and
   * when `signal` of the context is aborted, which ends it.
   */
  run(command: Command): Promise<CommandResult>;
  /** Starts a program whose output may be long. Its messages go to the log of the job. `to`: as given to a dump. */
  open(command: Command, signal: AbortSignal, to?: number): Promise<Output>;
  /** Connects to a socket of the host: an absolute path, or `address:port`. Rejects when nothing listens there. */
  connect(address: string): Promise<Duplex>;
}

export interface SourceContext {
  host: CommandHost;
  signal: AbortSignal;
  /** One line for the log of the job. Secrets of the settings are removed from it. */
  log(level: 'info' | 'warning', text: string): void;
}

export interface CheckContext extends SourceContext {
  /** The folders that the backup reads; none if they are not known. */
  folders: readonly string[];
}

export interface PrepareContext extends CheckContext {
  /** The same for each attempt of one job, and different for all others: `[a-z0-9-]`, at most 40 characters. */
  token: string;
  /**
   * Stores what `release` has to undo, in place of what was stored before. Call it before each step that must be undone:
   * the process may die at any time.
   */
  record(undo: Undo): Promise<void>;
}

/** JSON, without secrets. */
export type Undo = Readonly<Record<string, string | readonly string[]>>;

export interface Output {
  output: Readable;
  /** The exit code, once `output` has ended; null: a signal ended the program. Rejects as `run` does. */
  code: Promise<number | null>;
}

export interface Dump {
  /** The name of the file. It is the same for each backup; the service makes it safe to use. */
  name: string;
  /**
   * Called once, when the backup tool is ready to read. The dump is complete if the exit code is 0, it is not empty, and
   * it ends with the mark. `signal` ends it. `to`: an open file descriptor, where a program of the host may write its
   * output itself, which costs less. What is in `output` is added.
   */
  open(signal: AbortSignal, to?: number): Promise<Output>;
  /** The last 512 bytes of a complete dump contain it. */
  endMark?: string;
  /**
   * Its content is of the moment before its first byte, so that what was stopped for it can run again then. It may be
   * opened long before it is read.
   */
  fixedAtStart?: boolean;
}

export interface Prepared {
  /** Further absolute paths to back up. */
  paths?: readonly string[];
  /** Patterns to leave out, beside those of the repository. */
  excludes?: readonly string[];
  /** Files that the archive gets beside the paths, read while they are written. */
  dumps?: readonly Dump[];
  /**
   * Folders that the backup finds at another place, such as a snapshot: it sees `from` at `path`, which is absolute and
   * without symlinks. Other mounts below `path` stay as they are. What is mounted for this belongs at `/run/holdfast-…`,
   * which other backups don't keep busy. Needs root on the host.
   */
  instead?: readonly { path: string; from: string }[];
}

/** A source that could be added. */
export interface FoundSource {
  /** For people, for example the name of a database. */
  name: string;
  /** The id of the plugin. Default: the one that found it. */
  kind?: string;
  /** The container where its programs run. Default: the host. */
  container?: string;
  settings: SourceSettings;
}

/** Something on the host that a source can protect. */
export interface Candidate extends FoundSource {
  /** A sentence about it, such as its size. */
  detail?: string;
  /** What belongs to it and is protected together with it, such as the database of an application. */
  with?: readonly FoundSource[];
}

/** A dump in an archive. */
export interface StoredDump {
  name: string;
  /** Its content; each call reads it from the beginning. Only complete if it ends without an error. */
  open(): Readable;
}

export interface Proof {
  passed: boolean;
  /** What was asked and answered, for the evidence. */
  text: string;
  /** Of a database that was restored: then the evidence names them. */
  tables?: number;
  rows?: number;
}

export interface ProofContext extends SourceContext {
  /** An empty folder on this machine, removed afterwards. */
  folder: string;
}

/**
 * One kind of source. Every method may be called at the same time for different settings. Throw an Error with one
 * sentence that tells a person what to do.
 */
export interface Source {
  /** The name that people know. */
  title: string;
  fields: readonly SourceField[];
  /**
   * What must not be prepared by two backups at once, such as `container:shop`. `folders`: what the backup reads. Default:
   * nothing.
   */
  claims?(settings: SourceSettings, folders: readonly string[]): readonly string[];
  /** What is on the host. */
  find?(context: SourceContext): Promise<Candidate[]>;
  /** Whether a backup would work. Changes nothing. */
  check(settings: SourceSettings, context: CheckContext): Promise<Finding[]>;
  prepare(settings: SourceSettings, context: PrepareContext): Promise<Prepared>;
  /**
   * Called once the archive is made and before `release`, with what was recorded last. Rejects if what the backup read may
   * have been damaged meanwhile: then the job fails. May be called by another process.
   */
  verify?(settings: SourceSettings, undo: Undo, context: SourceContext): Promise<void>;
  /**
   * Undoes what `prepare` did, as far as it came. May be called twice, and by another process; then with what was
   * recorded last. Resolves when nothing is left to undo.
   */
  release(settings: SourceSettings, undo: Undo, context: SourceContext): Promise<void>;
  /**
   * The inside of a container, where other sources run their programs. Its commands need `sh` there.
   */
  enter?(container: string, context: SourceContext): Promise<ProgramHost>;
  /** Restores one dump. `into`: the name of a new database; one that exists is only replaced with `replace`. */
  restore?(
    settings: SourceSettings,
    dump: StoredDump,
    options: { into: string; replace: boolean },
    context: SourceContext,
  ): Promise<{ text: string }>;
  /** Restores one dump into a server of its own, without network, and asks it something. */
  prove?(settings: SourceSettings, dump: StoredDump, context: ProofContext): Promise<Proof>;
}

/** The values of a field of kind `lines`. */
export const linesOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** For sources of database servers: the name of a variable, or the path of a file, on the host of its programs. */
export const passwordFromField = (example: string): SourceField => ({
  name: 'password_from',
  label: 'Password from',
  kind: 'text',
  required: false,
  example,
  help: 'Instead of a password: a variable of the container, or the path of a file with the password.',
});

/** For sources of database servers: see `databasesAmong`. */
export const databasesField: SourceField = {
  name: 'databases',
  label: 'Databases',
  kind: 'lines',
  required: false,
  example: 'shop',
  help: 'One name per line. Without names: all databases, also those that are added later.',
};

/** The databases that the field names; without names all. Throws an Error when one of them does not exist. */
export function databasesAmong(all: readonly string[], { databases }: SourceSettings): string[] {
  const named = linesOf(databases);
  const missing = named.filter((name) => !all.includes(name));
  if (missing.length > 0) throw new Error(`There is no database ${missing.join(', ')}: correct the names.`);
  return named.length > 0 ? named : [...all];
}

/** The output of a command. Throws an Error that begins with `problem` and ends with the last thing the command said. */
export async function outputOf(host: CommandHost, command: Command, problem: string): Promise<string> {
  const { code, stdout, stderr } = await host.run(command);
  if (code === 0) return stdout;
  const said = stderr.trim().split('\n').at(-1)?.trim().slice(0, 300);
  throw new Error(`${problem}${said ? `: ${said.replace(/[.!?]?$/, '.')}` : ` (code ${code}).`}`);
}

/**
 * Arguments that run a program with a variable from elsewhere on its host, so that no secret leaves it. `from`: the name
 * of another variable there, or the absolute path of a file.
 */
export const withVariable = (
  name: string,
  from: string | undefined,
  argv: readonly string[],
): readonly string[] => (from === undefined ? argv : ['sh', '-c', takeVariable, 'sh', name, from, ...argv]);

const takeVariable =
  'case $2 in /*) value=$(cat "$2");; *) value=$(printenv "$2");; esac || exit 1; export "$1=$value"; shift 2; exec "$@"';

/** Whether a program can be started on the host. */
export const hasProgram = async (host: CommandHost, program: string): Promise<boolean> =>
  (await host.run({ argv: ['sh', '-c', 'command -v -- "$1" >/dev/null', 'sh', program] })).code === 0;

/** Bytes that can be written at a path of the host; null if that can't be told. */
export async function freeBytes(host: CommandHost, path: string): Promise<number | null> {
  const { code, stdout } = await host.run({ argv: ['df', '-Pk', '--', path] });
  const kib = Number(stdout.trim().split('\n').at(-1)?.split(/\s+/).at(-3));
  return code === 0 && Number.isFinite(kib) ? kib * 1024 : null;
}

/** The content of a dump, once, and its last 512 bytes when it has been read. */
export function withTail(dump: StoredDump): { input: Readable; tail(): string } {
  let last = Buffer.alloc(0);
  const watch = new Transform({
    transform(piece: Buffer, _encoding, done) {
      last = Buffer.concat([last, piece.subarray(-512)]).subarray(-512);
      done(null, piece);
    },
  });
  pipeline(dump.open(), watch, () => {});
  return { input: watch, tail: () => last.toString('latin1') };
}
