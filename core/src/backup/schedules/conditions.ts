import { isSilent } from '@holdfast/plugin-api/files';
import { isBetween, type Message, messageOf, say } from '../../foundation/kernel/index.js';
import type { FileSystem } from '../../foundation/ports/filesystem.js';
import type { RemoteHost } from '../../foundation/ports/remote-host.js';
import { type SshConnectionRow, sshConnections } from '../ssh/index.js';
import type { PlacedRepository } from './calendar/index.js';
import type { SchedulesNeeds } from './needs.js';
import type { ScheduleRow } from './tables.js';

export interface ConditionNeeds extends SchedulesNeeds {
  driver: { idAt?(location: string): Promise<string | null> };
  files: Pick<FileSystem, 'isMounted'>;
  remoteHost: Pick<RemoteHost, 'answers'>;
}

export type Unmet = (
  schedule: Pick<ScheduleRow, 'when' | 'timezone'>,
  repositories: readonly PlacedRepository[],
) => Promise<Message | null>;

/** What a run waits for; null when all its conditions hold. Each disk and host is asked once per look. */
export function conditionsOf({ clock, driver, files, remoteHost, storage }: ConditionNeeds): Unmet {
  const known = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const answer = (known.get(key) as Promise<T> | undefined) ?? ask();
    known.set(key, answer);
    return answer;
  };
  const idAt = (path: string) => once(path, async () => driver.idAt?.(path));
  const connections = () => once('connections', () => storage.find(sshConnections));
  const answers = async (row: SshConnectionRow) => {
    const { host, port } = firstOnTheWay(await connections(), row);
    return once(`${host} ${port}`, () => remoteHost.answers({ host, port }));
  };

  return async ({ when, timezone }, repositories) => {
    if (!when) return null;
    const { not_between: window, mounted = [], place_present, host_reachable } = when;
    if (window && isBetween(clock.now(), window, timezone))
      return say`run_waits_for_hours: It does not start between ${{ from: window[0] ?? '' }} and ${{ to: window[1] ?? '' }}.`;
    for (const what of mounted)
      if (!files.isMounted(what)) return say`run_waits_for_mount: ${{ mount: what }} is not mounted.`;
    if (place_present)
      for (const each of repositories) {
        const unmet = each.connection_id === null && (await absence(each, idAt));
        if (unmet) return unmet;
      }
    if (!host_reachable) return null;
    const ids = repositories.flatMap((each) => [each.connection_id, each.source_connection_id]);
    for (const row of await connections())
      if (ids.includes(row.id) && !(await answers(row)))
        return say`run_waits_for_host: ${{ host: row.name ?? row.host }} does not answer.`;
    return null;
  };
}

async function absence(
  { name, path, tool_id }: PlacedRepository,
  idAt: (path: string) => Promise<string | null | undefined>,
): Promise<Message | null> {
  let id: string | null | undefined = null;
  try {
    id = await idAt(path);
  } catch (error) {
    if (isSilent(error)) return messageOf(error);
  }
  // A driver that can't tell.
  if (id === undefined || id === tool_id) return null;
  return id === null
    ? say`run_waits_for_disk: The disk of ${{ repository: name }} is not connected: there is no repository at ${{ path }}.`
    : say`run_waits_for_other_disk: Another repository than ${{ repository: name }} is at ${{ path }}.`;
}

/** What is behind a jump host can't be asked from here. */
function firstOnTheWay(all: readonly SshConnectionRow[], row: SshConnectionRow): SshConnectionRow {
  const seen = new Set<number>();
  let first = row;
  for (let next: SshConnectionRow | undefined = row; next && !seen.has(next.id); ) {
    seen.add(next.id);
    first = next;
    next = all.find(({ id }) => id === first.jump_connection_id);
  }
  return first;
}
