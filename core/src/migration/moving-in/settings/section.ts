import type { StorageSession } from '@holdfast/plugin-api';
import type { z } from 'zod';
import type { EventRow } from '../../../foundation/events/index.js';
import type { Caller, Message } from '../../../foundation/kernel/index.js';
import type { SettingsNeeds } from '../needs.js';

/** One object of the document. Missing fields are left unchanged. */
export type Value = Record<string, unknown>;

interface Reading {
  storage: StorageSession;
  secrets: SettingsNeeds['secrets'];
}

/** While objects are written: every write belongs to one transaction. */
export interface Writing {
  /** Everything that rooms need. Its storage is that transaction; its events and timers wait for the commit. */
  needs: SettingsNeeds;
  caller: Caller;
  /** The caller confirmed that other source directories replace the current ones. */
  replaceSources: boolean;
  /** Events that were recorded, to be announced after the commit. */
  announce(events: readonly EventRow[]): void;
  /** For changes outside the database: runs after the commit with the storage. Errors become remarks. */
  afterwards(work: (needs: SettingsNeeds) => Promise<unknown>): void;
}

export interface Existing<V extends Value = Value> {
  id: number;
  value: V;
}

/**
 * One kind of settings in the document. To add one, create a file for it and list it in `sections.ts` after
 * those it refers to.
 */
export interface Section<V extends Value = Value> {
  /** Its name in the document. */
  name: string;
  /** One object. It rejects unknown fields. */
  shape: z.ZodType<V, z.ZodTypeDef, unknown>;
  /** Identifies the object in every installation: never the id of a row. */
  key(value: V): string;
  /** Shown to users. */
  title(value: V): string;
  /** Fields that only leave the service sealed. */
  secrets: readonly (keyof V & string)[];
  /** Fields that are not changed in an object that exists. */
  fixed: readonly (keyof V & string)[];
  /** The objects of this installation, with their secrets. */
  read(at: Reading): Promise<Existing<V>[]>;
  /** Why it can't be written as it is, before anything is tried. */
  obstacle?(value: V, before: V | null): Message | null;
  create(at: Writing, value: V): Promise<void>;
  /** `fields`: those that change. */
  change(at: Writing, existing: Existing<V>, value: V, fields: readonly string[]): Promise<void>;
}

/** Keeps the types of one section together; the list of sections is of mixed types. */
export const section = <V extends Value>(definition: Section<V>): Section => definition as unknown as Section;

/** Only the fields that change. */
export const only = <V extends Value>(value: V, fields: readonly string[]): Partial<V> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name))) as Partial<V>;
