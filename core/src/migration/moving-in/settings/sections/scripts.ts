import { newScript, scriptChanges } from '@holdfast/contracts';
import { z } from 'zod';
import { scriptsUseCases, scripts as table } from '../../../../backup/hooks/index.js';
import { noteSchedule } from '../../../../backup/schedules/index.js';
import { only, section, type Writing } from '../section.js';

const shape = scriptChanges
  .required({ name: true, content: true })
  .extend({ secret_defaults: z.record(z.string().max(10_000)).optional() })
  .strict();
type Script = z.infer<typeof shape>;

/** The library. Defaults of password parameters are secrets; the text of a script is not. */
export const scripts = section<Script>({
  name: 'scripts',
  shape,
  key: ({ name }) => name,
  title: ({ name }) => name,
  secrets: ['secret_defaults'],
  fixed: ['name'],
  read: async ({ storage }) =>
    (await storage.find(table, { where: { is_template: false } })).map(({ id, ...row }) => {
      const { name, description, content, timeout, run_on, parameters } = row;
      const isSecret = ({ type, default: text }: (typeof parameters)[number]) =>
        type === 'password' && text !== '';
      const hidden = parameters.filter(isSecret).map((each) => [each.name, each.default]);
      const shown = parameters.map((each) => (isSecret(each) ? { ...each, default: '' } : each));
      const value = { name, description, content, timeout, run_on, parameters: shown };
      return {
        id,
        value: { ...value, ...(hidden.length > 0 && { secret_defaults: Object.fromEntries(hidden) }) },
      };
    }),
  create: async (at, value) => {
    await useCases(at).createScript(newScript.parse(withDefaults(value, {})));
  },
  change: async (at, { id, value: before }, value, fields) => {
    const declared = fields.includes('parameters') || fields.includes('secret_defaults');
    const { parameters, secret_defaults: _, ...rest } = only(value, fields);
    const all = { ...before, ...value };
    const input = declared ? { ...rest, ...withDefaults(all, before.secret_defaults ?? {}, true) } : rest;
    await useCases(at).updateScript(id, input);
  },
});

const useCases = ({ needs }: Writing) => scriptsUseCases(needs, noteSchedule);

/** The script with its secret defaults, or with `bare` only its parameters. */
function withDefaults(
  { secret_defaults, parameters, ...script }: Script,
  known: Record<string, string>,
  bare = false,
) {
  const texts = { ...known, ...secret_defaults };
  const declared = parameters?.map((each) => ({ ...each, default: texts[each.name] ?? each.default }));
  return { ...(bare ? {} : script), ...(declared && { parameters: declared }) };
}
