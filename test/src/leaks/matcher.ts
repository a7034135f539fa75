import { type Form, formsOf } from './forms-of.js';

/** Shorter texts occur by chance. */
const shortest = 8;
const startBytes = 4;

interface Pattern extends Form {
  /** What is looked for: a key of the caller. */
  of: string;
}

export interface Hit {
  of: string;
  form: string;
  at: number;
}

/** Looks for many texts at once, each in all its forms. */
export class Matcher {
  readonly #byStart = new Map<number, Pattern[]>();
  /** Which two first bytes begin anything: most places are passed by with one look. */
  readonly #begins = new Uint8Array(1 << 16);

  add(of: string, text: string): void {
    if (text.length < shortest) throw new Error(`${of} is too short to be looked for`);
    for (const form of formsOf(text)) {
      const { bytes } = form;
      const start = bytes.readUInt32BE(0);
      const all = this.#byStart.get(start) ?? [];
      if (all.some((pattern) => pattern.of === of && pattern.bytes.equals(bytes))) continue;
      this.#byStart.set(start, [...all, { ...form, of }]);
      this.#begins[bytes.readUInt16BE(0)] = 1;
    }
  }

  /** The first place of each text in each form. */
  hitsIn(content: Buffer): Hit[] {
    const found = new Map<string, Hit>();
    for (let at = 0; at + startBytes <= content.length; at++) {
      const two = ((content[at] ?? 0) << 8) | (content[at + 1] ?? 0);
      if (this.#begins[two] === 0) continue;
      for (const { of, name, bytes } of this.#byStart.get(content.readUInt32BE(at)) ?? []) {
        const end = at + bytes.length;
        if (end > content.length || bytes.compare(content, at, end) !== 0) continue;
        const key = `${of} ${name}`;
        if (!found.has(key)) found.set(key, { of, form: name, at });
      }
    }
    return [...found.values()];
  }
}
