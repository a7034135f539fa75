import { attachmentChanges, newAttachment } from '@holdfast/contracts';
import { z } from 'zod';
import { repositoryScripts, scripts, scriptsUseCases } from '../../../../backup/hooks/index.js';
import { noteSchedule } from '../../../../backup/schedules/index.js';
import { joinValues, splitValues } from '../parameters.js';
import { namesIn, repositoryOf, scriptOf } from '../references.js';
import { only, section } from '../section.js';

const texts = z.record(z.string().max(10_000));
const shape = attachmentChanges
  .omit({ parameter_values: true })
  .extend({
    repository_id: z.string(),
    script: z.string(),
    hook_type: z.enum(['pre-backup', 'post-backup']),
    values: texts.nullable().optional(),
    secret_values: texts.optional(),
  })
  .strict();
type Attachment = z.infer<typeof shape>;

export const attachments = section<Attachment>({
  name: 'script_attachments',
  shape,
  key: ({ repository_id, script, hook_type }) => JSON.stringify([repository_id, script, hook_type]),
  title: ({ script, hook_type }) => `${script} (${hook_type})`,
  secrets: ['secret_values'],
  fixed: ['repository_id', 'script', 'hook_type'],
  read: async ({ storage, secrets }) => {
    const names = await namesIn(storage);
    const library = new Map((await storage.find(scripts)).map((row) => [row.id, row]));
    return (await storage.find(repositoryScripts)).flatMap(({ id, ...row }) => {
      const repository_id = names.repositories.get(row.repository_id);
      const script = library.get(row.script_id);
      if (repository_id === undefined || !script) return [];
      const { plain, secret } = splitValues(secrets, script, row.parameter_values);
      const { hook_type, execution_order, enabled, custom_timeout, custom_run_on, continue_on_error } = row;
      const value = {
        repository_id,
        script: script.name,
        hook_type,
        execution_order,
        enabled,
        custom_timeout,
        custom_run_on,
        continue_on_error,
        values: plain,
        ...(Object.keys(secret).length > 0 && { secret_values: secret }),
      };
      return [{ id, value }];
    });
  },
  create: async ({ needs }, { repository_id, script: name, values, secret_values, ...rest }) => {
    const repository = await repositoryOf(needs.storage, repository_id);
    const script = await scriptOf(needs.storage, name);
    const parameter_values = joinValues(script, values, secret_values);
    const input = newAttachment.parse({ ...rest, script_id: script.id, parameter_values });
    await scriptsUseCases(needs, noteSchedule).attachScript(repository.id, input);
  },
  change: async ({ needs }, { id: attachmentId, value: before }, value, fields) => {
    const { id: repositoryId } = await repositoryOf(needs.storage, value.repository_id);
    const script = await scriptOf(needs.storage, value.script);
    const { values: _, secret_values: __, ...changes } = only(value, fields);
    const anew = fields.includes('values') || fields.includes('secret_values');
    const all = { ...before, ...value };
    const parameter_values = joinValues(script, all.values, all.secret_values);
    const { updateAttachment } = scriptsUseCases(needs, noteSchedule);
    await updateAttachment({ repositoryId, attachmentId }, { ...changes, ...(anew && { parameter_values }) });
  },
});
