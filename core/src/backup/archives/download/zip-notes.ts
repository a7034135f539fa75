import { escapeName } from '../../../foundation/kernel/index.js';

const most = 10_000;

const headings = {
  renamed: 'These entries have other names here, because a zip file must not have theirs:',
  furtherNames: 'These are further names (hard links) of files that are stored once, under the second name:',
  leftOut: 'These are neither files nor folders nor symlinks, and were left out:',
};
type Kind = keyof typeof headings;

const shown = (name: string) => JSON.stringify(escapeName(name));

/** What is not in a zip file as it is in the archive. */
export class ZipNotes {
  static readonly fileName = 'holdfast-notes.txt';
  readonly #lines: Record<Kind, string[]> = { renamed: [], furtherNames: [], leftOut: [] };
  #more = 0;

  /** `found` as in the archive; `about`: its name in the zip, or its first name. */
  add(kind: Kind, found: string, about?: string): void {
    const lines = this.#lines[kind];
    if (lines.length >= most) this.#more += 1;
    else lines.push([found, about].flatMap((name) => (name === undefined ? [] : shown(name))).join('  ->  '));
  }

  /** Null: everything is as in the archive. */
  text(): string | null {
    const parts = (Object.keys(headings) as Kind[]).flatMap((kind) => {
      const lines = this.#lines[kind];
      return lines.length === 0 ? [] : [`${headings[kind]}\n${lines.join('\n')}\n`];
    });
    if (parts.length === 0) return null;
    if (this.#more > 0) parts.push(`And ${this.#more} more. A download as tar keeps all names and links.\n`);
    return parts.join('\n');
  }
}
