/** The flags that a user may add to `borg create`, with the number of values that each takes. */
const allowed = new Map<string, 0 | 1>([
  ['-x', 0],
  ['--one-file-system', 0],
  ['--exclude-caches', 0],
  ['--keep-exclude-tags', 0],
  ['--exclude-nodump', 0],
  ['--numeric-ids', 0],
  ['--numeric-owner', 0],
  ['--noatime', 0],
  ['--atime', 0],
  ['--noctime', 0],
  ['--nobirthtime', 0],
  ['--nobsdflags', 0],
  ['--noflags', 0],
  ['--noacls', 0],
  ['--noxattrs', 0],
  ['--sparse', 0],
  ['--read-special', 0],
  ['-e', 1],
  ['--exclude', 1],
  ['--exclude-if-present', 1],
  ['--pattern', 1],
  ['--files-cache', 1],
  ['--chunker-params', 1],
  ['-c', 1],
  ['--checkpoint-interval', 1],
  ['--upload-ratelimit', 1],
  ['--upload-buffer', 1],
]);

/** Why a flag of borg is rejected; continues a sentence that begins with its name. */
const rejected = new Map<string, string>([
  ...reasons('is set by Holdfast for each backup', ['--comment', '--timestamp', '--umask', '--lock-wait']),
  ...reasons('is a setting of the repository; change it there', ['-C', '--compression', '--remote-path']),
  ...reasons('would write a backup without the lock', ['--bypass-lock']),
  ...reasons('would make the backup do nothing', ['-n', '--dry-run']),
  ...reasons('would change the output that Holdfast reads', [
    ...[
      '-s',
      '--stats',
      '--list',
      '--filter',
      '--json',
      '--log-json',
      '-p',
      '--progress',
      '--iec',
      '-h',
      '--help',
    ],
    ...['--critical', '--error', '--warning', '--info', '-v', '--verbose', '--debug', '--debug-topic'],
    ...['--debug-profile', '--show-version', '--show-rc', '--consider-part-files'],
  ]),
  ...reasons('would change where the data comes from', [
    ...['--stdin-name', '--stdin-user', '--stdin-group', '--stdin-mode', '--content-from-command'],
    ...['--paths-from-stdin', '--paths-from-command', '--paths-from-shell-command', '--paths-delimiter'],
    ...['--patterns-from', '--exclude-from'],
  ]),
  ...reasons('would run another program', ['--rsh']),
]);

function reasons(reason: string, names: string[]): [string, string][] {
  return names.map((name) => [name, reason]);
}

/**
 * Returns one sentence per problem, which names the flag. Abbreviations and bundles of short flags count as unknown.
 */
export function checkCustomFlags(flags: string[]): string[] {
  const problems: string[] = [];
  for (let index = 0; index < flags.length; index++) {
    const word = flags[index] as string;
    const { name, value } = split(word);
    const problem = rejection(name, word);
    const values = allowed.get(name);
    if (problem !== null || values === undefined) {
      problems.push(problem ?? `The flag ${name} cannot be used here.`);
    } else if (values === 0) {
      if (value !== null) problems.push(`The flag ${name} takes no value.`);
    } else {
      const next = value ?? flags[++index];
      problems.push(
        ...(value === null && looksLikeFlag(next) ? [dashProblem(name)] : valueProblems(name, next)),
      );
    }
  }
  return problems;
}

export interface Flag {
  name: string;
  value: string | null;
}

/** Pairs each flag with its value. The flags have passed `checkCustomFlags`. */
export function flagsAndValues(flags: readonly string[]): Flag[] {
  const found: Flag[] = [];
  for (let index = 0; index < flags.length; index++) {
    const { name, value } = split(flags[index] as string);
    const next = allowed.get(name) === 1 && value === null ? flags[++index] : value;
    found.push({ name, value: next ?? null });
  }
  return found;
}

function split(word: string): Flag {
  const equals = word.indexOf('=');
  if (!word.startsWith('--') || equals < 0) return { name: word, value: null };
  return { name: word.slice(0, equals), value: word.slice(equals + 1) };
}

function rejection(name: string, word: string): string | null {
  if (!word.startsWith('-') || word === '-' || word === '--')
    return `"${word}" is not a flag. Paths and patterns belong in the other settings.`;
  const reason = rejected.get(name);
  if (reason !== undefined) return `The flag ${name} ${reason}.`;
  return null;
}

/** Whether borg would take it as the next flag; `- *.iso` (with a blank) counts as a value. */
const looksLikeFlag = (word: string | undefined): boolean => word !== undefined && /^-(?! )/.test(word);

const dashProblem = (name: string): string =>
  `A value of ${name} that begins with a dash must be joined to it by "=".`;

function valueProblems(name: string, value: string | undefined): string[] {
  if (value === undefined || value === '') return [`The flag ${name} needs a value.`];
  if (name === '--pattern' && !/^[+\-!]\s*\S/.test(value))
    return ['The flag --pattern accepts only patterns that begin with +, - or !.'];
  if (/^(-c|--checkpoint-interval|--upload-ratelimit|--upload-buffer)$/.test(name) && !/^\d+$/.test(value))
    return [`The flag ${name} needs a whole number.`];
  if (value.includes('\0'))
    return [`The value of ${name} contains a character that cannot be passed to Borg.`];
  return [];
}
