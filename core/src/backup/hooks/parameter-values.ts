import {
  invalid,
  isSealed,
  maskedValue,
  type ParameterValues,
  type SealedValue,
  say,
} from '../../foundation/kernel/index.js';
import type { SecretBox } from '../../foundation/ports/services.js';
import type { ParameterDefinition } from './script.rules.js';
import type { ScriptRow } from './tables.js';

const longestValue = 10_000;

type Owner = Pick<ScriptRow, 'uid' | 'name' | 'parameters'>;

export const parameterPurpose = (uid: string, name: string) => `script-parameter:${uid}:${name}`;

/**
 * Validates values for the parameters of a script and seals the secret ones. Undeclared names are dropped.
 * `stored` has the previous values, for secrets that are sent back masked. Throws AppError `invalid`.
 */
export function sealValues(
  secrets: SecretBox,
  script: Owner,
  { given, stored }: { given: Readonly<Record<string, unknown>>; stored: ParameterValues | null },
): ParameterValues {
  const values: ParameterValues = {};
  for (const definition of script.parameters) {
    const { name, type } = definition;
    const before = stored?.[name];
    if (type === 'password' && given[name] === maskedValue) {
      if (before !== undefined) values[name] = before;
    } else {
      const text = checkedText(definition, given[name]);
      if (text !== null) values[name] = type === 'password' ? seal(secrets, script, { name, text }) : text;
    }
    assertPresent(script, definition, values[name]);
  }
  return values;
}

const seal = (secrets: SecretBox, { uid }: Owner, { name, text }: { name: string; text: string }) => ({
  sealed: secrets.seal(parameterPurpose(uid, name), text),
});

function checkedText({ name }: ParameterDefinition, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (!['string', 'number', 'boolean'].includes(typeof value))
    throw invalid(
      say`script_parameter_type_wrong: ${{ parameter: name }} must be a string, number or boolean.`,
    );
  const text = String(value);
  if (text.length > longestValue)
    throw invalid(
      say`script_parameter_too_long: ${{ parameter: name }} must have at most ${{ limit: longestValue }} characters.`,
    );
  if (text.includes('\0'))
    throw invalid(say`script_parameter_has_nul: ${{ parameter: name }} must not contain NUL characters.`);
  return text;
}

function assertPresent(
  script: Owner,
  { name, required, default: fallback }: ParameterDefinition,
  value: string | SealedValue | undefined,
): void {
  const missing = value === undefined ? fallback === '' : value === '';
  if (required && missing)
    throw invalid(
      say`script_parameter_missing: Script ${{ script: script.name }} needs a value for parameter ${{ parameter: name }}.`,
    );
}

/** The environment for a run, and its values to redact. Parameters without a value are not set. */
export function openValues(
  secrets: SecretBox,
  script: Owner,
  stored: ParameterValues | null,
): { environment: Record<string, string>; secrets: string[] } {
  const environment: Record<string, string> = {};
  const hidden: string[] = [];
  for (const { name, type, default: fallback } of script.parameters) {
    const value = stored?.[name];
    const text = isSealed(value)
      ? secrets.open(parameterPurpose(script.uid, name), value.sealed)
      : (value ?? fallback);
    if (value === undefined && text === '') continue;
    environment[name] = text;
    if ((type === 'password' || isSealed(value)) && text !== '') hidden.push(text);
  }
  return { environment, secrets: hidden };
}

/** Values to store after the declaration of a script changed: parameters that became secret are sealed. */
export function resealValues(secrets: SecretBox, script: Owner, stored: ParameterValues): ParameterValues {
  const types = new Map(script.parameters.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [
      name,
      typeof value === 'string' && types.get(name) === 'password'
        ? seal(secrets, script, { name, text: value })
        : value,
    ]),
  );
}
