import type { ScriptChanges, ScriptDetails } from '@holdfast/contracts';
import { maskedValue } from './script.rules.js';
import { parametersAfter } from './script-parameters.rules.js';
import { invalid } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { repositoryScripts, type ScriptRow, schedules, scripts } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { sayingNameIsTaken } from './create-script.js';
import { findScript } from './find-script.js';
import { viewScript } from './get-script.js';
import { resealValues } from './parameter-values.js';
import { schedulesWith } from './script-uses.js';

type Needs = Pick<Dependencies, 'storage' | 'clock' | 'secrets'>;

/** Changes what is given. AppError `not_found`, `invalid` (a template), `conflict` (name). */
export const updateScript =
  (needs: Needs) =>
  async (id: number, { content, ...others }: ScriptChanges): Promise<ScriptDetails> => {
    const { storage, clock } = needs;
    const input = content === maskedValue ? others : { ...others, content };
    await sayingNameIsTaken(() =>
      inTransaction(storage, async (session) => {
        const before = await findScript(session, id);
        if (before.is_template)
          throw invalid('A built-in template stays as it is: make a script of your own from it.');
        const patch = { ...patchOf(before, input), updated_at: Math.max(clock.now(), before.updated_at + 1) };
        await session.update(scripts, { id }, patch);
        if (patch.parameters) await resealAll(needs, session, { ...before, ...patch });
      }),
    );
    return viewScript(storage, id);
  };

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

/** What became a secret by the new declaration is sealed wherever it is stored. */
async function resealAll({ secrets }: Needs, session: StorageSession, script: ScriptRow): Promise<void> {
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
    await session.update(schedules, { id: schedule.id }, { [column]: resealValues(secrets, script, values) });
  }
}
