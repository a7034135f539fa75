import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { EventBus } from '../../foundation/events/index.js';
import type { ScriptRunner } from '../../foundation/ports/script-runner.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';
import type { SourcesNeeds } from '../sources/index.js';

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface HooksNeeds extends SourcesNeeds {
  storage: StorageBackend;
  scriptRunner: ScriptRunner;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  events: EventBus;
}
