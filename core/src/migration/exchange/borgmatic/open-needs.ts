import type { BorgmaticAnswer, BorgmaticImport } from '@holdfast/contracts';
import { Answers, type Need } from './answers.rules.js';
import { mapFile } from './map-file.rules.js';
import { readTree } from './read-tree.js';
import { resolved } from './resolve.rules.js';

const choices = { takeOver: true, cron_expression: null, timezone: 'UTC', checkFlags: () => [] };

/**
 * What files refer to and nobody answered yet, for whoever may read the machine on which they lie. What is answered may
 * refer to more. Throws AppError `invalid` for a file that can't be read.
 */
export async function openNeeds(
  files: BorgmaticImport['files'],
  given: readonly BorgmaticAnswer[],
): Promise<Need[]> {
  const answers = new Answers(given);
  for (const file of files)
    mapFile(file.name, resolved(await readTree(file, answers), answers), answers, choices);
  return answers.open;
}
