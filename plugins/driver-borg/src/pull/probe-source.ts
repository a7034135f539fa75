import { limitedSignal } from '@holdfast/plugin-api';
import {
  DriverError,
  type FoundSource,
  type SourceHost,
  type SourceState,
} from '@holdfast/plugin-api/driver';
import { readAll } from './read-all.js';

export interface SourceFacts {
  sources: FoundSource[];
  /** Sources that the tool is given, and those that it is not, in the requested order. */
  present: string[];
  missing: string[];
  /** First line of `tar --version`; empty without tar. */
  tar: string;
  /** First line of `borg --version`; empty without borg. */
  tool: string;
  /** The host's shell can pass a connection on to a tool. */
  relays: boolean;
}

const marker = 'holdfast-source-2';

/**
 * Changes nothing. `$1` is the tool, the rest are paths. A passphrase must never become an argument of a program, so
 * `printf` has to be a builtin of the shell.
 */
const script = `
printf '%s\\n' ${marker}
tool=$1
shift
for path do
  while [ "$path" != / ] && [ "$path" != "\${path%/}" ]; do path=\${path%/}; done
  if [ -L "$path" ]; then printf 'symlink %s\\n' "$(readlink -f -- "$path" 2>/dev/null | head -n 1)"
  elif [ ! -e "$path" ]; then
    while [ ! -e "$path" ] && [ -n "$path" ]; do path=\${path%/*}; done
    if [ -x "\${path:-/}" ] || [ ! -d "\${path:-/}" ]; then printf 'missing\\n'; else printf 'unreadable\\n'; fi
  elif [ ! -r "$path" ] || { [ -d "$path" ] && [ ! -x "$path" ]; }; then printf 'unreadable\\n'
  elif [ -d "$path" ] && [ -z "$(find "$path/." ! -name . -prune 2>/dev/null | head -c 1)" ]
  then printf 'empty\\n'; else printf 'present\\n'; fi
done
printf 'tar %s\\n' "$(LC_ALL=C tar --version 2>/dev/null | head -n 1)"
printf 'tool %s\\n' "$("$tool" --version 2>/dev/null | head -n 1)"
if [ -p /proc/$$/fd/0 ] && [ -p /proc/$$/fd/1 ] && [ "$(command -v printf)" = printf ]
then printf 'relay yes\\n'; else printf 'relay no\\n'; fi
printf 'end\\n'
`;

const slowestAnswerMs = 60_000;

/** Asks the host about its sources and tools in one command. Rejects with `connection` on an unexpected answer. */
export async function probeSource(
  host: SourceHost,
  { sources, signal }: { sources: readonly string[]; signal?: AbortSignal | undefined },
): Promise<SourceFacts> {
  const bounded = limitedSignal(slowestAnswerMs, ...(signal ? [signal] : []));
  const command = ['sh', '-c', script, 'holdfast', host.toolPath ?? 'borg', ...sources];
  const process = await host.run(command, { signal: bounded });
  process.stdin.end();
  const [output] = await Promise.all([readAll(process.stdout), readAll(process.stderr)]);
  const { code } = await process.exit;
  const lines = output.split('\n');
  const from = lines.indexOf(marker);
  if (from < 0 || !lines.includes('end'))
    throw new DriverError(
      'connection',
      `${host.name} does not run commands for this user (it ended with ${code ?? 'no code'}), so its data cannot ` +
        'be read. Give the user a shell and a key without a forced command.',
    );
  if (from > 0) throw chatty(host);
  return factsOf(lines.slice(1), sources);
}

/** The output of a shell's startup files would end up in the middle of the data. */
const chatty = (host: SourceHost) =>
  new DriverError(
    'connection',
    `${host.name} prints extra text into the connection. Remove what its shell's startup files print for ` +
      'this user in non-interactive sessions.',
  );

function factsOf(lines: string[], sources: readonly string[]): SourceFacts {
  const rest = lines.slice(sources.length);
  const fact = (name: string) =>
    rest.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  const found = sources.map((path, index) => foundAt(path, lines[index] ?? ''));
  const pathsOf = (gone: boolean) =>
    found.filter(({ state }) => (state === 'missing') === gone).map(({ path }) => path);
  return {
    sources: found,
    present: pathsOf(false),
    missing: pathsOf(true),
    tar: fact('tar'),
    tool: fact('tool'),
    relays: fact('relay') === 'yes',
  };
}

const states: SourceState[] = ['present', 'missing', 'empty', 'symlink', 'unreadable'];

function foundAt(path: string, line: string): FoundSource {
  const [word = '', pointsTo = ''] = line.split(/ (.*)/s);
  const state = states.find((each) => each === word) ?? 'unknown';
  return { path, state, ...(pointsTo === '' ? {} : { pointsTo }) };
}

/** What can't be read may be a file, so it counts as one if there is no other. */
const anyFile = `
found=$(find "$@" -type f 2>/dev/null | head -c 1)
if [ -n "$found" ] || ! find "$@" >/dev/null 2>&1; then printf 1; fi
`;

/** True if at least one regular file, or something unreadable, is at or below the paths. */
export async function hasFile(
  host: SourceHost,
  { paths, signal }: { paths: readonly string[]; signal?: AbortSignal | undefined },
): Promise<boolean> {
  const process = await host.run(['sh', '-c', anyFile, 'holdfast', ...paths], {
    ...(signal ? { signal } : {}),
  });
  process.stdin.end();
  const [output] = await Promise.all([readAll(process.stdout), readAll(process.stderr)]);
  await process.exit;
  return output !== '';
}
