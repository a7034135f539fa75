import type { ScheduleChanges } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import type { ParameterValues } from '../../foundation/kernel/index.js';
import { invalid, isAppError, say } from '../../foundation/kernel/index.js';
import type { SecretBox } from '../../foundation/ports/services.js';
import { findScript, sealValues } from '../hooks/index.js';
import type { ScriptRow } from '../hooks/tables.js';
import type { ScheduleRow } from './tables.js';

const places = [
  { idField: 'pre_backup_script_id', valuesField: 'pre_backup_script_parameters' },
  { idField: 'post_backup_script_id', valuesField: 'post_backup_script_parameters' },
] as const;
type Place = (typeof places)[number];
type Settings = Partial<Pick<ScheduleRow, Place['idField'] | Place['valuesField']>>;

interface Given {
  /** Null for a new schedule. */
  before: ScheduleRow | null;
  input: ScheduleChanges;
}

/**
 * The columns for the given scripts and their parameter values, with secrets sealed. Values belong to their
 * script: choosing another script clears them. Throws AppError `invalid`.
 */
export async function scriptSettings(
  session: StorageSession,
  secrets: SecretBox,
  given: Given,
): Promise<Settings> {
  let settings: Settings = {};
  for (const place of places) {
    settings = { ...settings, ...(await settingsOf(session, secrets, { ...given, place })) };
  }
  return settings;
}

async function settingsOf(
  session: StorageSession,
  secrets: SecretBox,
  { before, input, place: { idField, valuesField } }: Given & { place: Place },
): Promise<Settings> {
  const [id, values] = [input[idField], input[valuesField]];
  if (id === undefined && values === undefined) return {};
  const known = before?.[idField] ?? null;
  const wanted = id === undefined ? known : id;
  if (wanted === null) {
    if (values)
      throw invalid(
        say`schedule_script_missing: ${{ field: valuesField }} requires a script in ${{ script_field: idField }}.`,
      );
    return { [idField]: null, [valuesField]: null };
  }
  const script = await knownScript(session, idField, wanted);
  const stored = wanted === known ? (before?.[valuesField] ?? null) : null;
  const next = values === undefined && stored ? stored : sealed(secrets, script, { values, stored });
  return { [idField]: wanted, [valuesField]: next };
}

function sealed(
  secrets: SecretBox,
  script: ScriptRow,
  { values, stored }: { values: Record<string, unknown> | null | undefined; stored: ParameterValues | null },
): ParameterValues | null {
  const checked = sealValues(secrets, script, { given: values ?? {}, stored });
  return values ? checked : null;
}

async function knownScript(session: StorageSession, field: string, id: number): Promise<ScriptRow> {
  try {
    return await findScript(session, id);
  } catch (error) {
    if (!isAppError(error)) throw error;
    throw invalid(say`schedule_script_unknown: ${{ field }}: there is no script ${{ id }}.`, {
      cause: error,
    });
  }
}
