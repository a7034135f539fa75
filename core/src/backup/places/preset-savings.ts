import { excludePresets, type PreflightResult } from '@holdfast/contracts';
import type { SourceTally } from '../../foundation/ports/filesystem.js';
import { leftOutBy } from '../repositories/index.js';
import type { PlacesNeeds } from './needs.js';

/** The presets that these patterns do not contain yet, as groups of a survey. */
export function presetGroups({ driver }: PlacesNeeds, exclude_patterns: readonly string[]) {
  const open = Object.entries(excludePresets)
    .map(([id, patterns]) => ({ id: id as keyof typeof excludePresets, patterns: [...patterns] as string[] }))
    .filter(({ patterns }) => !patterns.every((each) => exclude_patterns.includes(each)))
    .map((each) => ({
      ...each,
      ...leftOutBy(driver, { exclude_patterns: each.patterns, custom_flags: null }),
    }));
  return {
    groupOf: (path: string): string | null => open.find(({ excluded }) => excluded(path))?.id ?? null,
    savingsIn: ({ groups }: SourceTally): PreflightResult['presets'] =>
      open
        .flatMap(({ id, patterns }) => {
          const found = groups.get(id);
          return found ? [{ id, patterns, ...found }] : [];
        })
        .sort((one, other) => other.bytes - one.bytes),
  };
}
