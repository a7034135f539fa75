import { isDeepStrictEqual } from 'node:util';
import type { EventRow } from '../../events/tables.js';
import { type Caller, inOneTransaction, invalid, isAppError, type Message, say } from '../../kernel/index.js';
import type { ExchangeNeeds } from '../needs.js';
import { type Part, withKeys } from './document.js';
import type { Section, Value, Writing } from './section.js';

export type Action = 'create' | 'change' | 'unchanged' | 'cannot';

/** What becomes, or became, of one object of the document. */
export interface Planned {
  section: string;
  /** What makes it the same object, as in the document. */
  key: string;
  name: string;
  action: Action;
  /** Of a change: the names of the fields. */
  fields: string[];
  /** Why it can't be imported. */
  why: Message | null;
}

/** More refusals than this are no document to import. */
const mostRefusals = 100;

/** One object stops the transaction; the next attempt goes without it. */
class Refused extends Error {
  constructor(
    readonly id: string,
    readonly reason: Message,
  ) {
    super(reason.text);
  }
}

interface Applied {
  objects: Planned[];
  remarks: Message[];
}

/**
 * Brings the settings in line with the parts, in one transaction. What can't be written is left out by name, with all
 * that needs it. With `keep` false everything is tried and nothing stays.
 */
export async function applyParts(
  needs: ExchangeNeeds,
  parts: readonly Part[],
  { caller, keep }: { caller: Caller; keep: boolean },
): Promise<Applied> {
  const refused = new Map<string, Message>();
  for (;;) {
    const late = new Late(needs);
    try {
      const work = (storage: ExchangeNeeds['storage']) =>
        attempt(late.writing({ ...needs, storage }, caller), parts, refused);
      const objects = await inOneTransaction(needs.storage, work, { keep });
      return { objects, remarks: keep ? await late.run() : [] };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.set(error.id, error.reason);
      if (refused.size > mostRefusals)
        throw invalid(
          say(
            'settings_mostly_refused',
          )`More than ${{ count: mostRefusals }} objects of the document can't be imported; the last one: ${{ problem: error.reason.text }} Nothing was changed.`,
        );
    }
  }
}

async function attempt(
  at: Writing,
  parts: readonly Part[],
  refused: ReadonlyMap<string, Message>,
): Promise<Planned[]> {
  const planned: Planned[] = [];
  for (const { section, objects } of parts) {
    if (objects.length === 0) continue;
    const known = new Map(
      withKeys(section, await section.read(at.needs), ({ value }) => value).map(({ key, one }) => [key, one]),
    );
    for (const { key, value } of objects) {
      const id = `${section.name}/${key}`;
      const before = known.get(key) ?? null;
      const why = refused.get(id) ?? section.obstacle?.(value, before?.value ?? null) ?? null;
      const fields = before ? changedFields(section, before.value, value) : [];
      const action = why ? 'cannot' : !before ? 'create' : fields.length > 0 ? 'change' : 'unchanged';
      planned.push({ section: section.name, key, name: section.title(value), action, fields, why });
      try {
        if (action === 'create') await section.create(at, value);
        else if (action === 'change' && before) await section.change(at, before, value, fields);
      } catch (error) {
        if (!isAppError(error) || error.code === 'forbidden') throw error;
        throw new Refused(id, error.reason);
      }
    }
  }
  return planned;
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

/** What waits for the commit. */
class Late {
  readonly #events: EventRow[] = [];
  readonly #timers: [string, number][] = [];
  readonly #work: ((needs: ExchangeNeeds) => Promise<unknown>)[] = [];

  constructor(private readonly needs: ExchangeNeeds) {}

  writing(needs: ExchangeNeeds, caller: Caller): Writing {
    const { events, timers } = this.needs;
    const announce = (recorded: readonly EventRow[]) => void this.#events.push(...recorded);
    const quiet = { ...events, announce, nudge: () => {} };
    const patient = {
      set: async (key: string, at: number) => void this.#timers.push([key, at]),
      clear: (key: string) => timers.clear(key),
      onDue: (handler: Parameters<typeof timers.onDue>[0]) => timers.onDue(handler),
      drain: (ms: number) => timers.drain(ms),
    };
    return {
      needs: { ...needs, events: quiet, timers: patient },
      caller,
      announce,
      afterwards: (work) => void this.#work.push(work),
    };
  }

  /** What did not work of it, as remarks: everything else is stored by now. */
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
