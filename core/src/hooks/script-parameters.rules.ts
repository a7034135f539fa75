import { detectParameters, type ParameterDefinition } from './script.rules.js';

/**
 * The parameters of a script whose text changed and which were not given anew: what the new text mentions,
 * told of as before where it was known, and what was declared before and still occurs in it.
 */
export function parametersAfter(
  content: string,
  before: readonly ParameterDefinition[],
): ParameterDefinition[] {
  const known = new Map(before.map((definition) => [definition.name, definition]));
  const detected = detectParameters(content);
  const names = new Set(detected.map(({ name }) => name));
  const kept = before.filter(({ name }) => !names.has(name) && new RegExp(`\\b${name}\\b`).test(content));
  return [...detected.map((definition) => known.get(definition.name) ?? definition), ...kept];
}
