import type { LeavingRepository } from '@holdfast/plugin-api/importer';
import type { Value } from './tree.js';
import { quotedWord } from './words.js';

type Hook = LeavingRepository['hooks'][number];

export interface HookPlace {
  name: string;
  path: string;
  /** Of files with secrets. */
  secretFile(variable: string): string;
}

const states = { success: ['finish'], failure: ['fail'] } as const;
const when = ['create'];

/** The entries of `commands`. Scripts that run after success and failure get the result. */
export function commandsOf(hooks: readonly Hook[], place: HookPlace): Value[] {
  return hooks.flatMap((hook): Value[] => {
    if (hook.type === 'pre-backup') return [{ before: 'action', when, run: [runOf(hook, place, null)] }];
    const outcomes = (['success', 'failure'] as const).filter(
      (outcome) => hook.runOn === 'always' || hook.runOn === outcome,
    );
    return outcomes.map((outcome) => ({
      after: 'action',
      when,
      states: states[outcome],
      run: [runOf(hook, place, outcome)],
    }));
  });
}

function runOf({ type, content, variables }: Hook, place: HookPlace, status: string | null): string {
  const given = {
    BK_UI_HOOK_TYPE: type,
    ...(status !== null && { BK_UI_BACKUP_STATUS: status }),
    BK_UI_REPOSITORY_NAME: place.name,
    BK_UI_REPOSITORY_PATH: place.path,
    ...variables,
  };
  const exports = Object.entries(given).map(([name, value]) =>
    value === null
      ? `export ${name}="$(cat ${quotedWord(place.secretFile(name))})"`
      : `export ${name}=${quotedWord(value)}`,
  );
  const text = content
    .replace(/^\ufeff/, '')
    .replace(/\r\n/g, '\n')
    .replace(/\n*$/, '\n');
  const interpreter = /^#!\s*(\S.*)$/m.exec(text.split('\n', 1)[0] ?? '')?.[1] ?? 'bash';
  const end = endOf(text);
  return `${exports.join('\n')}\n${interpreter} /dev/stdin <<'${end}'\n${text}${end}\n`;
}

/** A line that the script does not have. */
function endOf(text: string): string {
  let end = 'END';
  while (text.split('\n').includes(end)) end = `${end}_`;
  return end;
}
