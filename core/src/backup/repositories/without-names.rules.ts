import type { Entity } from '@holdfast/plugin-api';
import { maskedValue, say } from '../../foundation/kernel/index.js';

type Row = Record<string, unknown>;

const isFact = (value: unknown): boolean =>
  typeof value !== 'string' && (!Array.isArray(value) || value.every((one) => typeof one === 'number'));

/** Stands for a sentence that may name files. One without values is the same for everybody. */
function withoutDetails(row: Row, [text, code, params]: readonly [string, string, string]): Row {
  if (row[text] == null || (row[code] !== null && Object.keys((row[params] as object) ?? {}).length === 0))
    return {};
  const instead = say`details_need_right: Details need the right \`restore\` on this repository.`;
  return { [text]: instead.text, [code]: instead.code, [params]: {} };
}

/** As many as there are: their number tells how a backup went. */
const masked = (names: unknown) => (Array.isArray(names) ? names.map(() => maskedValue) : names);

const error = ['error_message', 'error_code', 'error_params'] as const;

/** By the name of an entity: what replaces the columns that may contain names of files. */
const replacements: Readonly<Record<string, (row: Row) => Row>> = {
  repository: ({ source_directories, exclude_patterns, left_out, mass_change }) => ({
    source_directories: masked(source_directories),
    exclude_patterns: masked(exclude_patterns),
    left_out: masked(left_out),
    custom_flags: null,
    open_error: null,
    mass_change: mass_change && { ...(mass_change as Row), folders: [] },
  }),
  archive: ({ unread, lacking }) => ({ unread: masked(unread), lacking: masked(lacking), comment: '' }),
  job: (row) => ({
    progress: { ...(row.progress as object), currentPath: '', message: null },
    ...withoutDetails(row, error),
  }),
  incident: (row) => ({
    ...withoutDetails(row, ['sentence', 'code', 'params']),
    ...withoutDetails(row, ['recovery', 'recovery_code', 'recovery_params']),
  }),
  retention_pause: (row) => withoutDetails(row, ['reason', 'reason_code', 'reason_params']),
  event: ({ data }) => ({
    data: Object.fromEntries(Object.entries(data as Row).filter(([, value]) => isFact(value))),
  }),
};

/** What a limited viewer never sees: sentences that may name other repositories. */
const others: typeof replacements = {
  job: () => ({ waiting_for: null, waiting_for_code: null, waiting_for_params: null }),
  slot: (row) => withoutDetails(row, ['reason', 'reason_code', 'reason_params']),
};

export const withoutOthers = <R extends object>({ name }: Pick<Entity, 'name'>, row: R): R => {
  const replace = others[name];
  return replace ? { ...row, ...replace(row as Row) } : row;
};

export const withoutFileNames = <R extends object>({ name }: Pick<Entity, 'name'>, row: R): R => {
  const replace = replacements[name];
  return replace ? { ...row, ...replace(row as Row) } : row;
};
