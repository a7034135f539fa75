import { pathOf } from '../ssh/remote-location.rules.js';
import { isRemoteHostError } from '../kernel/errors.js';
import type { RemoteAccount } from '../ports/remote-host.js';
import type { SshConnectionRow } from '../schema/tables.js';
import type { ConnectionNeeds } from '../ssh/check-connection.js';
import { remoteFailure } from '../ssh/remote-failure.js';
import { usingConnection } from '../ssh/using-connection.js';

/** The host did what it could, but runs no such command: then its folders are not known. */
const noShell = new Set(['refused', 'failed', 'missing', 'permission']);

const tellMissing = 'for path do [ -e "$path" ] || [ -L "$path" ] || printf "%s\\n" "$path"; done';

/**
 * Folders above a remote repository's place that are not there, outermost first; none where the host does not tell.
 * AppError when the host can't be reached.
 */
export async function missingParents(
  needs: ConnectionNeeds,
  connection: SshConnectionRow,
  location: string,
): Promise<string[]> {
  const parents = parentsOf(location);
  try {
    const output = await usingConnection(needs, connection, (account) =>
      outputOf(needs, account, ['sh', '-c', tellMissing, 'holdfast', ...parents]),
    );
    const told = new Set(output.split('\n'));
    return parents.filter((path) => told.has(path));
  } catch (error) {
    if (!isRemoteHostError(error)) throw error;
    if (noShell.has(error.kind)) return [];
    throw remoteFailure(error);
  }
}

/** Removes those that are empty. Never rejects. */
export async function removeParents(
  needs: ConnectionNeeds,
  connection: SshConnectionRow,
  parents: readonly string[],
): Promise<void> {
  if (parents.length === 0) return;
  const command = ['rmdir', ...[...parents].reverse()];
  await usingConnection(needs, connection, (account) => outputOf(needs, account, command)).catch(() => {});
}

/** Those of a path from the home folder are relative to it, where commands start. */
function parentsOf(location: string): string[] {
  const path = pathOf(location);
  const names = path
    .replace(/^\/(\.\/|~\/)?/, '')
    .split('/')
    .slice(0, -1);
  const root = /^\/[.~]\//.test(path) ? './' : '/';
  return names.map((_, index) => root + names.slice(0, index + 1).join('/'));
}

async function outputOf(
  { remoteHost }: ConnectionNeeds,
  account: RemoteAccount,
  command: string[],
): Promise<string> {
  const process = await remoteHost.run(account, command, { signal: AbortSignal.timeout(30_000) });
  process.stdin.end();
  process.stderr.resume();
  let output = '';
  for await (const piece of process.stdout.setEncoding('utf8') as AsyncIterable<string>) output += piece;
  await process.exit;
  return output;
}
