import { randomUUID } from 'node:crypto';
import type { GivenSource } from '@holdfast/contracts';
import type { SourceSettings } from '@holdfast/plugin-api/source';
import {
  invalid,
  isSealed,
  maskedValue,
  notFound,
  type ParameterValues,
  say,
} from '../../foundation/kernel/index.js';
import type { RepositoriesNeeds } from './needs.js';
import type { StoredSource } from './tables.js';

export type SourceKindsNeeds = Pick<RepositoriesNeeds, 'secrets' | 'sourceKinds'>;

const purposeOf = (uid: string, field: string) => `source:${uid}:${field}`;

/** Throws AppError `not_found` when no plugin offers this kind. */
export function kindOf({ sourceKinds }: Pick<SourceKindsNeeds, 'sourceKinds'>, id: string) {
  const found = sourceKinds.find((kind) => kind.id === id);
  if (found) return found.source;
  throw notFound(
    say`source_kind_unknown: There is no kind of source named ${{ kind: id }}: see GET /api/sources/kinds.`,
  );
}

/**
 * Sources as they are stored: with secrets sealed. A secret that is sent back masked keeps its value, found by kind and
 * name among the `stored`, unless it would go to another place than before: `moves` says that the host is another.
 * Throws AppError `invalid`, `not_found`.
 */
export function storedSources(
  needs: SourceKindsNeeds,
  given: readonly GivenSource[],
  stored: readonly StoredSource[],
  moves = false,
): StoredSource[] {
  const names = new Set<string>();
  return given.map((source) => {
    const { kind, name, container } = source;
    if (names.has(`${kind}\0${name}`))
      throw invalid(say`source_name_taken: Two sources have the name ${{ name }}: choose another.`);
    names.add(`${kind}\0${name}`);
    const before = stored.find((one) => one.kind === kind && one.name === name);
    const uid = before?.uid ?? randomUUID();
    if (before && (moves || container !== before.container || isElsewhere(needs, source, before)))
      refuseKept(needs, source, before);
    return {
      uid,
      kind,
      name,
      container,
      settings: sealed(needs, { ...source, uid }, before?.settings ?? {}),
    };
  });
}

/** Whether anything differs that could lead to another server or user. Lists only choose what is read there. */
const isElsewhere = (
  needs: SourceKindsNeeds,
  { kind, settings }: GivenSource,
  before: StoredSource,
): boolean =>
  kindOf(needs, kind).fields.some(
    (field) =>
      !['secret', 'lines'].includes(field.kind) &&
      (settings[field.name] ?? '').trim() !== (before.settings[field.name] ?? ''),
  );

function refuseKept(
  needs: SourceKindsNeeds,
  { kind, name, settings }: GivenSource,
  before: StoredSource,
): void {
  const kept = kindOf(needs, kind).fields.find(
    (field) =>
      field.kind === 'secret' &&
      settings[field.name] === maskedValue &&
      before.settings[field.name] !== undefined,
  );
  if (kept)
    throw invalid(
      say`source_secret_again: Source ${{ source: name }}: enter ${{ field: kept.label }} again, as the server or the user is another one now.`,
    );
}

function sealed(
  needs: SourceKindsNeeds,
  { uid, kind, name, settings }: GivenSource & { uid: string },
  before: ParameterValues,
): ParameterValues {
  const { fields } = kindOf(needs, kind);
  const unknown = Object.keys(settings).find((key) => !fields.some((field) => field.name === key));
  if (unknown !== undefined)
    throw invalid(
      say`source_field_unknown: Source ${{ source: name }} has no setting ${{ field: unknown }}.`,
    );
  const values: ParameterValues = {};
  for (const field of fields) {
    const given = settings[field.name] ?? '';
    const isMasked = field.kind === 'secret' && given === maskedValue;
    const isKept = isMasked && before[field.name] !== undefined;
    const text = isMasked && !isKept ? '' : given.trim();
    if (field.required && text === '')
      throw invalid(say`source_field_missing: Source ${{ source: name }} needs ${{ field: field.label }}.`);
    if (field.kind === 'number' && text !== '' && !/^\d{1,15}$/.test(text))
      throw invalid(
        say`source_field_not_a_number: ${{ field: field.label }} of source ${{ source: name }} must be a number.`,
      );
    if (isKept) values[field.name] = before[field.name] ?? '';
    else if (text !== '')
      values[field.name] =
        field.kind === 'secret' ? { sealed: needs.secrets.seal(purposeOf(uid, field.name), given) } : text;
  }
  return values;
}

/** For answers: secrets are masked. */
export const shownSources = (stored: readonly StoredSource[]): GivenSource[] =>
  stored.map(({ kind, name, container, settings }) => ({
    kind,
    name,
    container,
    settings: Object.fromEntries(
      Object.entries(settings).map(([field, value]) => [field, isSealed(value) ? maskedValue : value]),
    ),
  }));

/** The secrets of each source that has any, by its kind and name, for files with settings. */
export const secretsOfSources = (
  { secrets }: Pick<RepositoriesNeeds, 'secrets'>,
  stored: readonly StoredSource[],
): Record<string, SourceSettings> =>
  Object.fromEntries(
    stored.flatMap(({ uid, kind, name, settings }) => {
      const opened = Object.entries(settings).flatMap(([field, value]) =>
        isSealed(value) ? [[field, secrets.open(purposeOf(uid, field), value.sealed)]] : [],
      );
      return opened.length > 0 ? [[`${kind} ${name}`, Object.fromEntries(opened)]] : [];
    }),
  );

/** The reverse. A secret that is not among them stays masked. */
export const withSecrets = (
  sources: readonly GivenSource[],
  secrets: Readonly<Record<string, SourceSettings>> = {},
): GivenSource[] =>
  sources.map((source) => ({
    ...source,
    settings: { ...source.settings, ...secrets[`${source.kind} ${source.name}`] },
  }));

/** Settings with their secrets, which no log shows until `release` is called. */
export function openedSettings(
  { secrets, redactor }: Pick<RepositoriesNeeds, 'secrets' | 'redactor'>,
  { uid, settings }: Pick<StoredSource, 'uid' | 'settings'>,
): { settings: SourceSettings; release(): void } {
  const held: { release(): void }[] = [];
  const opened = Object.entries(settings).map(([field, value]): [string, string] => {
    if (!isSealed(value)) return [field, value];
    const text = secrets.open(purposeOf(uid, field), value.sealed);
    held.push(redactor.protect(text));
    return [field, text];
  });
  return {
    settings: Object.fromEntries(opened),
    release: () => {
      for (const each of held) each.release();
    },
  };
}
