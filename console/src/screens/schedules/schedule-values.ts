import type { Schemas } from '../../api/client.js';
import { type Keep, presets } from './plan.rules.js';

type Schedule = Schemas['SchedulesGetAnswer']['job'];

/** The editable fields, by the names of the API. */
export interface Values extends Record<string, unknown>, Keep {
  name: string;
  description: string | null;
  tags: string[];
  cron_expression: string;
  timezone: string;
  catch_up: 'one' | 'none';
  pause_until: string | null;
  when: Schedule['when'];
  retry: Schedule['retry'];
  repository_ids: number[];
  run_prune_after: boolean;
  run_compact_after: boolean;
  pre_backup_script_id: number | null;
  post_backup_script_id: number | null;
  pre_backup_script_parameters: Record<string, string> | null;
  post_backup_script_parameters: Record<string, string> | null;
  run_repository_scripts: boolean;
}

export interface FieldsProps {
  values: Values;
  onValues: (change: Partial<Values>) => void;
  /** Null for a new one. */
  scheduleId: number | null;
  error: unknown;
}

export const keepOf = (values: Values): Keep =>
  Object.fromEntries(Object.keys(presets.light).map((field) => [field, values[field]])) as unknown as Keep;
