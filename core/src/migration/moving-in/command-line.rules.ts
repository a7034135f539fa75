/** The options of `borg create`, and those that all commands have, by the number of their values. */
const withoutValue = [
  ...['-n', '--dry-run', '-s', '--stats', '--list', '--json', '--no-cache-sync', '--no-cache-sync-forced'],
  ...['--no-files-cache', '--content-from-command', '--paths-from-stdin', '--paths-from-command'],
  ...['--paths-from-shell-command', '--exclude-caches', '--keep-exclude-tags', '--keep-tag-files'],
  ...['--exclude-nodump', '-x', '--one-file-system', '--numeric-owner', '--numeric-ids', '--noatime'],
  ...['--atime', '--noctime', '--nobirthtime', '--nobsdflags', '--noflags', '--noacls', '--noxattrs'],
  ...['--sparse', '--ignore-inode', '--read-special', '-h', '--help', '--critical', '--error', '--warning'],
  ...['--info', '-v', '--verbose', '--debug', '-p', '--progress', '--iec', '--log-json', '--bypass-lock'],
  ...['--show-version', '--show-rc', '--consider-part-files', '--consider-checkpoints', '--no-files-changed'],
];
const withValue = [
  ...['--filter', '--stdin-name', '--stdin-user', '--stdin-group', '--stdin-mode', '--paths-delimiter'],
  ...['-e', '--exclude', '--exclude-from', '--pattern', '--patterns-from', '--exclude-if-present'],
  ...['--files-cache', '--files-changed', '--comment', '--timestamp', '-c', '--checkpoint-interval'],
  ...['--checkpoint-volume', '--chunker-params', '-C', '--compression', '--debug-topic', '--lock-wait'],
  ...['--umask', '--remote-path', '--remote-ratelimit', '--upload-ratelimit', '--remote-buffer'],
  ...['--upload-buffer', '--debug-profile', '--rsh', '--tar-filter'],
];
const values = new Map<string, 0 | 1>([
  ...withoutValue.map((name) => [name, 0] as const),
  ...withValue.map((name) => [name, 1] as const),
]);

export interface GivenOption {
  name: string;
  value: string | null;
}

export interface CreateCommand {
  /** In their order; abbreviated names in full. */
  options: GivenOption[];
  paths: string[];
}

/** The command that created an archive. Null for other commands and incomplete ones. */
export function parseCreate(words: readonly string[]): CreateCommand | null {
  const rest = words.slice(1);
  const options: GivenOption[] = [];
  const positional: string[] = [];
  let isOnlyPaths = false;
  while (rest.length > 0) {
    const word = rest.shift() as string;
    if (isOnlyPaths || word === '-' || !word.startsWith('-')) positional.push(word);
    else if (word === '--') isOnlyPaths = true;
    else options.push(...(word.startsWith('--') ? [longOption(word, rest)] : bundle(word, rest)));
  }
  const [verb, archive, ...paths] = positional;
  if (verb !== 'create' || archive === undefined) return null;
  return { options, paths };
}

function longOption(word: string, rest: string[]): GivenOption {
  const equals = word.indexOf('=');
  const name = fullName(equals < 0 ? word : word.slice(0, equals));
  if (equals >= 0) return { name, value: word.slice(equals + 1) };
  return { name, value: values.get(name) === 1 ? (rest.shift() ?? '') : null };
}

/** The tool accepts the beginning of a name that no other name has. */
function fullName(name: string): string {
  if (values.has(name)) return name;
  const meant = [...values.keys()].filter((known) => known.startsWith(name));
  return meant.length === 1 ? (meant[0] as string) : name;
}

/** `-sv`, `-Czstd`, `-C zstd`. */
function bundle(word: string, rest: string[]): GivenOption[] {
  const found: GivenOption[] = [];
  for (let at = 1; at < word.length; at++) {
    const name = `-${word[at]}`;
    if (values.get(name) !== 1) found.push({ name, value: null });
    else {
      const joined = word.slice(at + 1);
      return [...found, { name, value: joined === '' ? (rest.shift() ?? '') : joined }];
    }
  }
  return found;
}
