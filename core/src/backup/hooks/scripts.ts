import { randomUUID } from 'node:crypto';
import type { NewScript, ScriptChanges, ScriptDetails, ScriptView } from '@holdfast/contracts';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import type { Caller } from '../../foundation/kernel/index.js';
import { conflict, inTransaction, invalid, maskedValue, say } from '../../foundation/kernel/index.js';
import { repositories } from '../repositories/tables.js';
import type { NoteSchedule } from '../schedules/calendar/index.js';
import { type ScheduleRow, schedules } from '../schedules/tables.js';
import { findScript } from './find-script.js';
import type { HooksNeeds } from './needs.js';
import { resealValues } from './parameter-values.js';
import { detectParameters, parametersAfter } from './script.rules.js';
import { type ScriptUse, scriptDetails, scriptView, viewFor } from './script-view.js';
import { repositoryScripts, type ScriptRow, scriptRuns, scripts } from './tables.js';

/** Parameters that are not given are detected in the script. Throws AppError `conflict` (name). */
export async function createScript({ storage, clock }: HooksNeeds, input: NewScript): Promise<ScriptDetails> {
  const { name, content, category, timeout, run_on, description, parameters } = input;
  const now = clock.now();
  const row = await conflictIfNameTaken(() =>
    storage.insert(scripts, {
      uid: randomUUID(),
      name,
      content,
      category,
      timeout,
      run_on,
      description: description?.trim() ? description : null,
      parameters: parameters ?? detectParameters(content),
      created_at: now,
      updated_at: now,
    }),
  );
  return viewScript(storage, row.id);
}

/** Runs a write of a script and turns a taken name into AppError `conflict`. */
async function conflictIfNameTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique') || error.key !== 'name') throw error;
    throw conflict(say`script_name_taken: Another script has this name: choose another.`, { cause: error });
  }
}

/** Changes the given fields. Throws AppError `not_found`, `invalid` (a template), `conflict` (name). */
export async function updateScript(
  needs: HooksNeeds,
  noteSchedule: NoteSchedule,
  id: number,
  { content, ...others }: ScriptChanges,
): Promise<ScriptDetails> {
  const { storage, clock } = needs;
  const input = content === maskedValue ? others : { ...others, content };
  await conflictIfNameTaken(() =>
    inTransaction(storage, async (session) => {
      const before = await findScript(session, id);
      if (before.is_template)
        throw invalid(
          say`script_template_not_changeable: Built-in templates cannot be changed: create your own script from it.`,
        );
      const patch = { ...patchOf(before, input), updated_at: Math.max(clock.now(), before.updated_at + 1) };
      await session.update(scripts, { id }, patch);
      if (patch.parameters) await resealAll({ ...needs, noteSchedule }, session, { ...before, ...patch });
    }),
  );
  return viewScript(storage, id);
}

function patchOf(before: ScriptRow, input: ScriptChanges): Partial<ScriptRow> {
  const { parameters, description, ...plain } = input;
  const content = input.content ?? before.content;
  const declared = parameters ?? parametersAfter(content, parameters === null ? [] : before.parameters);
  const anew = parameters !== undefined || content !== before.content;
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    ...(description === undefined ? {} : { description: description?.trim() ? description : null }),
    ...(anew ? { parameters: declared } : {}),
  };
}

/** Seals stored values of parameters that became secret. */
async function resealAll(
  { secrets, noteSchedule }: Pick<HooksNeeds, 'secrets'> & { noteSchedule: NoteSchedule },
  session: StorageSession,
  script: ScriptRow,
): Promise<void> {
  for (const { id, parameter_values } of await session.find(repositoryScripts, {
    where: { script_id: script.id },
  })) {
    if (!parameter_values) continue;
    const sealed = resealValues(secrets, script, parameter_values);
    await session.update(repositoryScripts, { id }, { parameter_values: sealed });
  }
  for (const { schedule, before } of await schedulesWith(session, script.id)) {
    const column = before ? 'pre_backup_script_parameters' : 'post_backup_script_parameters';
    const values = schedule[column];
    if (!values) continue;
    await noteSchedule(session, schedule.id, { [column]: resealValues(secrets, script, values) });
  }
}

/**
 * Throws AppError `not_found`; `invalid` for a template; `conflict`, which names the users, while
 * repositories or schedules use it.
 */
export function deleteScript({ storage }: HooksNeeds, id: number): Promise<void> {
  return inTransaction(storage, async (session) => {
    const { name, is_template } = await findScript(session, id);
    if (is_template) throw invalid(say`script_template_not_deletable: Built-in templates cannot be deleted.`);
    const uses = await usesOf(session, id);
    const users = [
      ...new Set(uses.repositories.map((each) => `repository ${each.name}`)),
      ...new Set(uses.schedules.map((each) => `schedule ${each.name}`)),
    ];
    if (users.length > 0) {
      throw conflict(
        say`script_in_use: The script ${{ script: name }} is used ${{ count: users.length }} times: remove it from ${{ users }} first.`,
      );
    }
    await session.remove(scriptRuns, { script_id: id });
    await session.remove(scripts, { id });
  });
}

/** Includes the script text, so only for administrators. */
const viewScript = async (session: StorageSession, id: number): Promise<ScriptDetails> =>
  scriptDetails(await findScript(session, id), await usesOf(session, id));

/** Throws AppError `not_found`. */
export async function getScript(
  { storage }: Pick<HooksNeeds, 'storage'>,
  caller: Caller,
  id: number,
): Promise<ScriptDetails> {
  return viewFor(caller, await viewScript(storage, id));
}

export interface ScriptsQuery {
  category?: string | undefined;
  search?: string | undefined;
}

/** Newest first. `search` matches part of the name or description, ignoring case. */
export async function listScripts(
  { storage }: HooksNeeds,
  caller: Caller,
  { category, search }: ScriptsQuery,
): Promise<ScriptView[]> {
  const rows = await storage.find(scripts, { order: [['id', 'desc']] });
  const counts = await storage.aggregate(repositoryScripts, {
    groupBy: ['script_id'],
    measures: { uses: { count: true } },
  });
  const uses = new Map(counts.map((row) => [row.script_id, row.uses ?? 0]));
  const wanted = search?.toLowerCase() ?? '';
  return rows
    .filter((row) => category === undefined || row.category === category)
    .filter(({ name, description }) => `${name}\n${description ?? ''}`.toLowerCase().includes(wanted))
    .map((row) => viewFor(caller, scriptView(row, uses.get(row.id) ?? 0)));
}

const shownRuns = 5;

/** The schedules that use a script, before or after their backups. */
async function schedulesWith(
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
async function usesOf(session: StorageSession, scriptId: number): Promise<ScriptUse> {
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
      id,
      name,
      hook_type: before ? 'pre-backup' : 'post-backup',
    })),
    runs,
  };
}
