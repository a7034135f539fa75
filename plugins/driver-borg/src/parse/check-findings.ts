import type { ToolLogLine } from '@holdfast/plugin-api/driver';

export type Finding = 'damage' | 'unsigned' | 'remark' | 'unknown';

/** What borg 1.1 to 1.4 report in a check. */
const messages: readonly [RegExp, Finding | null][] = [
  [/^Archive TAM authentication issue for archive /, 'unsigned'],
  // Details and ends, which say nothing by themselves.
  [/^This archive (would be|will be|will \*not\*)|^The rebuilt manifest will only be/, null],
  [
    /^(Completed|Finished) .*repository check, errors found|^Archive consistency check complete, problems/,
    null,
  ],
  // The index is made again from the data; orphaned objects are left over from interrupted work.
  [/^Index object count mismatch|^(committed|rebuilt) index: \d+ objects|^ID: /, 'remark'],
  [/^Repo\/Chunks index(: | object count )|^Adding commit tag to segment |orphaned objects found/, 'remark'],
  [/integrity error|^chunk [0-9a-f]+: |^Skipping corrupted chunk/i, 'damage'],
  [/^This repository contains no valid data|^Repository (contains no apparent data|manifest )/, 'damage'],
  [/missing file chunk detected|^Archive metadata block \S+ is /, 'damage'],
  [/item metadata|^Unpacker crashed/i, 'damage'],
];

/** Null for a message that says nothing by itself. An unknown one is never called damage. */
export const findingOf = (text: string): Finding | null => {
  const found = messages.find(([pattern]) => pattern.test(text));
  return found ? found[1] : 'unknown';
};

const analyzing = /^Analyzing archive (.+) \(\d+\/\d+\)$/s;
const unsigned = /^Archive TAM authentication issue for archive (.+): (?:Data integrity error|Archive ')/s;
/** The content of a file is gone, and zeros replace it now or later. */
const lost =
  /(Replacing with all-zero chunk|It has an all-zero replacement chunk already|Generating new replacement chunk)\.$/;
/** The content is in the repository again, but only a repair puts it back into the file. */
const healed = /: Healed previously missing file chunk! \(Byte [^)]+\)\.$/;
const gone = /^Archive metadata block \S+ is (missing|corrupted)/;

/** Follows the messages of a check: it names an archive, then reports what it found there. */
export class CheckFindings {
  /** Names of archives: with lost files, that only a repair restores, that are not signed, that a repair deletes. */
  readonly #names = { lost: new Set<string>(), healed: new Set<string>() };
  readonly unsigned = new Set<string>();
  readonly gone = new Set<string>();
  readonly kinds = new Set<Finding>();
  #current: string | null = null;

  take(level: ToolLogLine['level'], text: string): void {
    this.#current = analyzing.exec(text)?.[1] ?? this.#current;
    const finding = level === 'error' ? findingOf(text) : null;
    if (finding) this.kinds.add(finding);
    const [, name = this.#current] = unsigned.exec(text) ?? [];
    if (name === null) return;
    if (finding === 'unsigned') this.unsigned.add(name);
    else if (gone.test(text)) this.gone.add(name);
    if (lost.test(text) || finding === 'damage') this.#names.lost.add(name);
    else if (healed.test(text)) this.#names.healed.add(name);
  }

  /** Names of the archives with files that lost content. */
  damaged({ repaired }: { repaired: boolean }): string[] {
    return [...new Set([...this.#names.lost, ...(repaired ? [] : this.#names.healed)])];
  }
}
