import { outdate, type Schemas, write } from '../../../api/api.js';

export type FoundView = Schemas['FoundRepository'];
export type Result = Schemas['ImportedRow'];

/** Kept while the page is open: the service does not keep it before a repository is registered. */
export interface Secret {
  passphrase?: string;
  keyfile_content?: string;
}

const openPath = '/api/repositories/discover/{job_id}/open';

/** Tries a passphrase on all; resolves to the paths that it opened. */
export async function openMany(job_id: number, passphrase: string): Promise<string[]> {
  const opened: string[] = [];
  for (let after: number | null = null; ; ) {
    const body = { passphrase: passphrase || null, after };
    const page: Schemas['OpenAnswer'] = await write('POST', openPath, { path: { job_id }, body });
    opened.push(...page.found.filter((each) => each.opened).map(({ path }) => path));
    after = page.next_after;
    if (after === null) return opened;
  }
}

const atOnce = 10;

/** Registers them in observe mode, some at a time, so that the page can show how far it is. */
export async function register(
  chosen: readonly FoundView[],
  secrets: ReadonlyMap<string, Secret>,
  onDone: (results: [string, Result][]) => void,
): Promise<void> {
  for (let from = 0; from < chosen.length; from += atOnce) {
    const some = chosen.slice(from, from + atOnce);
    const repositories = some.map(({ path, connection_id }) => ({
      path,
      connection_id,
      ...secrets.get(path),
    }));
    const body = { repositories };
    const done = await write('POST', '/api/repositories/import-many', { body });
    onDone(done.repositories.map((result) => [result.path, result]));
  }
  outdate('/api/repositories', '/api/overview');
}
