import type { StorageSession } from '../ports/storage.js';
import {
  repositories,
  repositoryScripts,
  type ScheduleRow,
  schedules,
  scriptRuns,
} from '../schema/tables.js';
import type { ScriptUse } from './script-view.js';

const shownRuns = 5;

/** The schedules that run a script of their own, for each of the two places. */
export async function schedulesWith(
  session: StorageSession,
  scriptId: number,
): Promise<{ schedule: ScheduleRow; before: boolean }[]> {
  const before = await session.find(schedules, { where: { pre_backup_script_id: scriptId } });
  const after = await session.find(schedules, { where: { post_backup_script_id: scriptId } });
  return [
    ...before.map((schedule) => ({ schedule, before: true })),
    ...after.map((schedule) => ({ schedule, before: false })),
  ];
}

/** Where a script is used, and its last runs as a hook, newest first. */
export async function usesOf(session: StorageSession, scriptId: number): Promise<ScriptUse> {
  const attached = await session.find(repositoryScripts, { where: { script_id: scriptId } });
  const ids = [...new Set(attached.map(({ repository_id }) => repository_id))];
  const rows = await session.find(repositories, { where: { id: { in: ids } } });
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const runs = await session.find(scriptRuns, {
    where: { script_id: scriptId },
    order: [['id', 'desc']],
    limit: shownRuns,
  });
  return {
    repositories: attached.flatMap(({ repository_id: id, hook_type, enabled }) => {
      const name = names.get(id);
      return name === undefined ? [] : [{ id, name, hook_type, enabled }];
    }),
    schedules: (await schedulesWith(session, scriptId)).map(({ schedule: { id, name }, before }) => ({
      ...{ id, name },
      hook_type: before ? 'pre-backup' : 'post-backup',
    })),
    runs,
  };
}
