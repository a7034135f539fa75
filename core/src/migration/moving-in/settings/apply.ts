import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { EventRow } from '../../../foundation/events/index.js';
import {
  type AppError,
  inOneTransaction,
  invalid,
  isAppError,
  type Message,
  plannedStorage,
  say,
} from '../../../foundation/kernel/index.js';
import type { SettingsNeeds } from '../needs.js';
import { type Part, withKeys } from './document.js';
import type { Existing, Section, Value, Writing } from './section.js';

type Action = 'create' | 'change' | 'unchanged' | 'cannot';

/** The planned or actual result for one object of the document. */
export interface Planned {
  section: string;
  /** Identifies the object, as in the document. */
  key: string;
  name: string;
  action: Action;
  /** Of a change: the names of the fields. */
  fields: string[];
  /** Why it can't be imported. */
  why: Message | null;
}

/** With more refusals, the document is rejected as a whole. */
const mostRefusals = 100;
/** How long a transaction takes further objects. Milliseconds. */
const portionMs = 500;
/** How long others may write before the next one. */
const betweenMs = 50;

/** Why objects can't be imported, by section and key. */
type Refusals = Map<string, Message>;

interface Applied {
  objects: Planned[];
  remarks: Message[];
}

/**
 * Applies the parts. Skips invalid objects and those that depend on them, with reasons. Tries everything in
 * memory first; then, with `keep`, writes in short transactions so that other writers are not blocked.
 */
export async function applyParts(
  needs: SettingsNeeds,
  parts: readonly Part[],
  { keep, ...around }: { keep: boolean } & Pick<Writing, 'caller' | 'replaceSources'>,
): Promise<Applied> {
  const steps = parts.flatMap(({ section, objects }) => objects.map((object) => ({ section, ...object })));
  const refused: Refusals = new Map();
  const { storage, attempt } = plannedStorage(needs.storage);
  const trial = new Late(needs).writing({ ...needs, storage }, around, { isTrial: true });
  const objects: Planned[] = [];
  const reader = reading(trial);
  for (const step of steps) {
    const tried = () => applied(trial, step, reader, refused);
    const untried = (error: unknown) => {
      refuse(error, step, refused);
      return tried();
    };
    objects.push(await attempt(tried).catch(untried));
  }
  if (!keep) return { objects, remarks: [] };
  const remarks: Message[] = [];
  const written: Planned[] = [];
  while (written.length < steps.length) {
    await pause(betweenMs);
    const late = new Late(needs);
    const work = (joined: SettingsNeeds['storage']) =>
      portion(late.writing({ ...needs, storage: joined }, around), steps.slice(written.length), refused);
    try {
      written.push(...(await inOneTransaction(needs.storage, work)));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refuse(error.cause, error.step, refused);
      continue;
    }
    remarks.push(...(await late.run()));
  }
  return { objects: written, remarks };
}

interface Step {
  section: Section;
  key: string;
  value: Value;
}

/** It ends a transaction; the next one goes without this object. */
class Refused extends Error {
  constructor(
    readonly step: Step,
    cause: unknown,
  ) {
    super('One object was rejected.', { cause });
  }
}

/** As many objects as fit into one transaction. */
async function portion(at: Writing, steps: readonly Step[], refused: Refusals): Promise<Planned[]> {
  const began = performance.now();
  const done: Planned[] = [];
  const reader = reading(at);
  for (const step of steps) {
    if (done.length > 0 && performance.now() - began > portionMs) break;
    done.push(
      await applied(at, step, reader, refused).catch((error) => {
        throw isRefusal(error) ? new Refused(step, error) : error;
      }),
    );
  }
  return done;
}

type Reader = (section: Section) => Promise<ReadonlyMap<string, Existing>>;

/** Existing objects by key, read once per section. */
function reading(at: Writing): Reader {
  let last: { section: Section; known: ReadonlyMap<string, Existing> } | null = null;
  return async (section) => {
    if (last?.section !== section) {
      const all = withKeys(section, await section.read(at.needs), ({ value }) => value);
      last = { section, known: new Map(all.map(({ key, one }) => [key, one])) };
    }
    return last.known;
  };
}

async function applied(
  at: Writing,
  step: Step,
  reader: Reader,
  refused: ReadonlyMap<string, Message>,
): Promise<Planned> {
  const { section, key, value } = step;
  const before = (await reader(section)).get(key) ?? null;
  const why = refused.get(idOf(step)) ?? section.obstacle?.(value, before?.value ?? null) ?? null;
  const fields = before ? changedFields(section, before.value, value) : [];
  const action = why ? 'cannot' : !before ? 'create' : fields.length > 0 ? 'change' : 'unchanged';
  if (action === 'create') await section.create(at, value);
  else if (action === 'change' && before) await section.change(at, before, value, fields);
  return { section: section.name, key, name: section.title(value), action, fields, why };
}

const isRefusal = (error: unknown): error is AppError => isAppError(error) && error.code !== 'forbidden';

const idOf = ({ section, key }: Step): string => `${section.name}/${key}`;

function refuse(error: unknown, step: Step, refused: Refusals): void {
  if (!isRefusal(error)) throw error;
  refused.set(idOf(step), error.reason);
  if (refused.size > mostRefusals)
    throw invalid(
      say`settings_mostly_refused: More than ${{ count: mostRefusals }} objects in the file can't be imported; the last one: ${{ problem: error.reason.text }} Nothing was changed.`,
    );
}

const changedFields = ({ fixed, secrets }: Section, before: Value, value: Value): string[] =>
  Object.keys(value).filter(
    (field) =>
      value[field] !== undefined &&
      !fixed.includes(field) &&
      // A passphrase or key file that is stored already stays.
      !(keptOnce.has(field) && secrets.includes(field) && before[field] !== undefined) &&
      !isDeepStrictEqual(before[field], value[field]),
  );

const keptOnce = new Set(['passphrase', 'key_file']);

/** Work that runs after the commit. */
class Late {
  readonly #events: EventRow[] = [];
  readonly #timers: [string, number][] = [];
  readonly #work: ((needs: SettingsNeeds) => Promise<unknown>)[] = [];

  constructor(private readonly needs: SettingsNeeds) {}

  writing(
    needs: SettingsNeeds,
    around: Pick<Writing, 'caller' | 'replaceSources'>,
    { isTrial = false } = {},
  ): Writing {
    const { events, timers } = this.needs;
    const announce = (recorded: readonly EventRow[]) => void this.#events.push(...recorded);
    // A trial announces no events.
    const record = isTrial ? async () => ({}) as EventRow : events.record;
    const quiet = { ...events, record, announce, nudge: () => {} };
    const patient = {
      set: async (key: string, at: number) => void this.#timers.push([key, at]),
      clear: (key: string) => timers.clear(key),
      onDue: (handler: Parameters<typeof timers.onDue>[0]) => timers.onDue(handler),
      drain: (ms: number) => timers.drain(ms),
    };
    return {
      needs: { ...needs, events: quiet, timers: patient },
      ...around,
      announce,
      afterwards: (work) => void this.#work.push(work),
    };
  }

  /** Failures as remarks: the rest is already stored. */
  async run(): Promise<Message[]> {
    const { events, timers, log } = this.needs;
    events.announce(this.#events);
    events.nudge();
    for (const [key, at] of this.#timers)
      await timers.set(key, at).catch((error: unknown) => log.warn('a timer could not be set', { error }));
    const remarks: Message[] = [];
    for (const work of this.#work) {
      try {
        await work(this.needs);
      } catch (error) {
        if (!isAppError(error)) throw error;
        remarks.push(error.reason);
      }
    }
    return remarks;
  }
}
