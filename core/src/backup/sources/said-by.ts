import { isDriverError } from '@holdfast/plugin-api/driver';
import {
  isAppError,
  isRemoteHostError,
  type Message,
  messageOf,
  reasonOf,
  say,
} from '../../foundation/kernel/index.js';
import type { SourcesNeeds } from './needs.js';

/** What went wrong with a source. A plugin throws any error, with a sentence for people. */
export function saidBy({ redactor }: Pick<SourcesNeeds, 'redactor'>, error: unknown): Message {
  if (isAppError(error) || isDriverError(error) || isRemoteHostError(error)) return messageOf(error);
  // First: a secret that is cut in half could not be found any more.
  const said = error instanceof Error ? redactor.redact(error.message) : error;
  const problem = reasonOf(said).replace(/[.!?]?$/, '.');
  return say`source_problem: ${{ problem }}`;
}
