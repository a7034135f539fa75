import { type ExcludePresetId, excludePresets } from '@holdfast/contracts/exclude-presets';
import type { Source } from '../../ui/sources.rules.js';
import {
  isComplete,
  type Keep,
  keepsAnything,
  presets,
  type Timing,
  usualTiming,
} from '../schedules/plan.rules.js';

export const steps = ['what', 'where', 'secret', 'when', 'tell', 'review'] as const;
export type Step = (typeof steps)[number];

/** `tagged` is a flag, not a pattern: borg looks into the files. */
export type ExcludePreset = ExcludePresetId | 'tagged';
export const excludes: Record<ExcludePreset, readonly string[]> = { ...excludePresets, tagged: [] };

/** The channel flags that the wizard offers. */
export const flags = ['late', 'failed', 'again', 'weekly'] as const;
type Flag = (typeof flags)[number];

/** Everything but secrets: it is kept for a reload of the page. */
export interface Draft {
  sources: string[];
  /** The host of the sources; null: this machine. */
  sourceConnection: number | null;
  /** Names of databases and containers. */
  databases: string[];
  excludes: ExcludePreset[];
  /** Empty: the proposal. */
  name: string;
  /** The folder that the repository's own folder is made in. */
  place: string;
  connection: number | null;
  timing: Timing;
  zone: string;
  prunes: boolean;
  rules: Keep;
  checks: boolean;
  drills: boolean;
  flags: Flag[];
  /** The user continues without a channel. */
  isQuiet: boolean;
  /** The sheet was saved. */
  hasSheet: boolean;
  /** The user stores the passphrase without the sheet. */
  keepsElsewhere: boolean;
}

export const noSheet = { hasSheet: false, keepsElsewhere: false };

export const newDraft = (zone: string): Draft => ({
  sources: [],
  sourceConnection: null,
  databases: [],
  excludes: ['caches', 'trash'],
  name: '',
  place: '',
  connection: null,
  timing: usualTiming,
  zone,
  prunes: true,
  rules: presets.standard,
  checks: true,
  drills: true,
  flags: [...flags],
  isQuiet: false,
  ...noSheet,
});

/** Only in the memory of this page. */
export interface Secrets {
  /** Their settings have passwords. */
  databases: Source[];
  passphrase: string;
  /** Typed by the user instead of generated. */
  isOwn: boolean;
  /** The page was loaded again after the passphrase was written down. */
  isForgotten: boolean;
  isConfirmed: boolean;
  /** The service URL of a channel that was tested; empty: none. */
  channelUrl: string;
  channelName: string;
}

export const noSecrets: Secrets = {
  databases: [],
  passphrase: '',
  isOwn: false,
  isForgotten: false,
  isConfirmed: false,
  channelUrl: '',
  channelName: '',
};

/** Whether the passphrase outlives this machine. */
export const isKept = ({ hasSheet, keepsElsewhere }: Draft): boolean => hasSheet || keepsElsewhere;

/** A saved sheet names the repository and its location, so changing them makes it outdated. */
export function changed(draft: Draft, change: Partial<Draft>): Draft {
  const next = { ...draft, ...change };
  const isElsewhere = (['name', 'place', 'connection'] as const).some((key) => next[key] !== draft[key]);
  return isElsewhere ? { ...next, hasSheet: false } : next;
}

/** Those whose settings were lost when the page was loaded again. */
export const lostDatabases = ({ databases }: Draft, known: Secrets): string[] =>
  databases.filter((name) => !known.databases.some((one) => one.name === name));

/** The first step that is not completed. */
export function firstOpen(draft: Draft, secrets: Secrets): Step {
  if (draft.sources.length + draft.databases.length === 0 || lostDatabases(draft, secrets).length > 0)
    return 'what';
  if (draft.name === '' || draft.place === '') return 'where';
  if (!secrets.isConfirmed || !isKept(draft)) return 'secret';
  if (!isComplete(draft.timing) || (draft.prunes && !keepsAnything(draft.rules))) return 'when';
  return draft.isQuiet || secrets.channelUrl !== '' ? 'review' : 'tell';
}

/** The last part of a path, as far as it can be the name of a folder; `taken` are names that exist. */
export function nameFor(source: string, taken: readonly string[]): string {
  const base = folderName(source.split('/').filter(Boolean).at(-1) ?? '') || 'backup';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!taken.includes(name)) return name;
  }
}

export const folderName = (text: string): string =>
  text
    .trim()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|-+$/g, '');

/** Path of the repository; relative to the home directory of the other host if the location is `.`. */
export const repositoryPath = ({ place, name }: Pick<Draft, 'place' | 'name'>): string =>
  `${place === '/' ? '' : place.replace(/\/+$/, '')}/${folderName(name)}`;

const below = (folder: string): string => `${folder.replace(/\/+$/, '')}/`;

/** Whether a path is a folder, or in it, by its letters. */
export const isBelow = (path: string, folder: string): boolean =>
  path !== '' && below(path).startsWith(below(folder));

/** Whether the repository would be inside its own sources. */
export function isInSources(draft: Draft, path: string): boolean {
  const { sources, sourceConnection, connection } = draft;
  return connection === sourceConnection && sources.some((source) => isBelow(path, source));
}

/** Of the command that creates archives. */
export const customFlags = ({ excludes }: Draft): string | null =>
  excludes.includes('tagged') ? '--exclude-caches' : null;

export const excludePatterns = (draft: Draft): string[] =>
  draft.excludes.flatMap((preset) => excludes[preset]);
