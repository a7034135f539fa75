import { nameOfBytes } from '@holdfast/plugin-api/driver';
import { addFile, type SourceTally } from '../../foundation/ports/filesystem.js';
import type { RemoteAccount, RemoteHost } from '../../foundation/ports/remote-host.js';
import type { Survey } from './survey.js';

/**
 * `m` and the path of each source that is missing, then for each entry `r` or `u` (readable or not), its depth, device,
 * type, size and path; NUL after each. A host whose `find` has no `-printf` answers without entries.
 */
const script = (tests: string) => `
for path do [ -e "$path" ] || [ -L "$path" ] || printf 'm%s\\0' "$path"; done
LC_ALL=C exec nice -n 19 find "$@" ${tests} \\( ! -readable -printf u -o -printf r \\) -printf '%d %D %y %s %p\\0' 2>/dev/null`;

const entry = /^([ru])(\d+) (\d+) (.) (\d+) (.*)$/s;
const mostPaths = 20;

export interface HostSurvey {
  sources: readonly string[];
  survey: Survey;
  excluded(path: string): boolean;
  groupOf?(path: string): string | null;
  oneFileSystem: boolean;
  foldersOnly?: boolean;
  signal: AbortSignal;
}

/**
 * Counts in `survey` what a backup of the paths on a host would read, until `signal` is aborted. Rejects with
 * RemoteHostError.
 */
export async function surveyHost(
  remoteHost: RemoteHost,
  account: RemoteAccount,
  { sources, survey, excluded, groupOf, oneFileSystem, foldersOnly, signal }: HostSurvey,
): Promise<void> {
  survey.counted = sources.length === 0;
  // Without a path, `find` would look at the current folder.
  if (survey.counted) return;
  const tests = `${oneFileSystem ? '-xdev' : ''} ${foldersOnly ? '-type d' : ''}`;
  const command = ['sh', '-c', script(tests), 'holdfast', ...sources];
  const process = await remoteHost.run(account, command, { signal });
  process.stdin.end();
  process.stderr.resume();
  process.exit.catch(() => undefined);
  const { otherFileSystems } = survey.tally;
  let left: string | null = null;
  let ofSource = '';
  let group: { name: string; path: string } | null = null;
  for await (const record of recordsOf(process.stdout)) {
    const text = nameOfBytes(record);
    if (text.startsWith('m')) {
      survey.missing.push(text.slice(1));
      continue;
    }
    const [, readable, depth, device = '', type, size, path] = entry.exec(text) ?? [];
    if (path === undefined) continue;
    survey.counted = true;
    if (depth === '0') ofSource = device;
    if (depth === '0' && type === 'l') survey.symlinks.push(path);
    // Folders come before what is in them.
    if (left !== null && path.startsWith(`${left}/`)) continue;
    left = excluded(path) ? path : null;
    if (left !== null) continue;
    if (group === null || !path.startsWith(`${group.path}/`)) {
      const name = groupOf?.(path) ?? null;
      group = name === null ? null : { name, path };
    }
    if (oneFileSystem && type === 'd' && device !== ofSource) {
      if (otherFileSystems.length < mostPaths) otherFileSystems.push(path);
    } else
      add(survey.tally, {
        readable: readable === 'r',
        type,
        size: Number(size),
        path,
        group: group?.name ?? null,
      });
  }
  await process.exit;
}

interface Found {
  readable: boolean;
  type: string | undefined;
  size: number;
  path: string;
  group: string | null;
}

function add(tally: SourceTally, { readable, type, size, path, group }: Found): void {
  if (type === 'l') tally.symlinks += 1;
  if (type === 'f') addFile(tally, size, group);
  if (readable || (type !== 'f' && type !== 'd')) return;
  tally.unreadable += 1;
  if (tally.unreadablePaths.length < mostPaths) tally.unreadablePaths.push(path);
}

/** Longer than any path with its size. */
const longestRecord = 64 * 1024;

async function* recordsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of stream) {
    let from = 0;
    const whole = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    for (let end = whole.indexOf(0); end >= 0; end = whole.indexOf(0, from)) {
      yield whole.subarray(from, end);
      from = end + 1;
    }
    rest = whole.subarray(from);
    if (rest.length > longestRecord) throw new Error('The host did not send a list of files.');
  }
}
