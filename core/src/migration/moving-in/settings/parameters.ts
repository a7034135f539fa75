import type { ScriptRow } from '../../../backup/hooks/index.js';
import { maskValues, openValues } from '../../../backup/hooks/index.js';
import { maskedValue, type ParameterValues } from '../../../foundation/kernel/index.js';
import type { SettingsNeeds } from '../needs.js';

export type Texts = Record<string, string>;

/** Stored values of a script's parameters: those that may be shown, and the secret ones. */
export function splitValues(
  box: SettingsNeeds['secrets'],
  script: ScriptRow | undefined,
  stored: ParameterValues | null,
): { plain: Texts | null; secret: Texts } {
  if (!script || stored === null) return { plain: null, secret: {} };
  const shown = Object.entries(maskValues(stored, script.parameters) ?? {});
  const { environment } = openValues(box, script, stored);
  const hidden = shown.filter(([, value]) => value === maskedValue).map(([name]) => name);
  return {
    plain: Object.fromEntries(shown.filter(([name]) => !hidden.includes(name))),
    secret: Object.fromEntries(hidden.map((name) => [name, environment[name] ?? ''])),
  };
}

/** The values to send to the room of scripts: secret ones that are not in the document stay as they are. */
export function joinValues(
  script: ScriptRow,
  plain: Texts | null | undefined,
  secret: Texts | undefined,
): Texts | null {
  if (plain == null && secret === undefined) return null;
  const kept = script.parameters
    .filter(({ type }) => type === 'password')
    .map(({ name }) => [name, secret?.[name] ?? maskedValue]);
  return { ...plain, ...Object.fromEntries(kept) };
}
