import { type ArchiveEntry, ArchiveShape, canonicalPath, problemOfName } from '@holdfast/plugin-api/driver';

interface HardLink {
  path: string;
  source: string;
}

export interface RejectedEntry {
  path: string;
  reason: string;
}

/**
 * Checks the entry names of an archive before anything is written, because a tool follows `..`, symlinks on
 * the way and sources of hard links wherever they lead. Independent of the segments that are stripped later.
 */
export class SurveyNames {
  readonly #shape = new ArchiveShape();
  readonly #damaged = new Set<string>();
  /** Sources of chosen hard links, each with one of its links. */
  readonly #firstNames = new Map<string, HardLink>();

  hasFile(path: string): boolean {
    return this.#shape.hasFile(path);
  }

  /** Adds a chosen entry. Returns why it must not be restored, or null. */
  add({ path: written, type, hardLinkTarget: source }: ArchiveEntry, path: string): string | null {
    const problem = problemOfName(written);
    if (problem) return `its path ${problem}`;
    if (source !== null) {
      const reason = this.#shape.problemOfHardLink(source);
      if (reason) return reason;
      const name = canonicalPath(source);
      if (!this.#firstNames.has(name)) this.#firstNames.set(name, { path: written, source });
    }
    return this.#shape.add(path, type);
  }

  /** Adds an entry that was not chosen. It matters only as a symlink that a hard link may lead through. */
  pass({ type }: ArchiveEntry, path: string): void {
    if (type === 'symlink') this.#shape.addElsewhere(path);
  }

  /**
   * Another name of a damaged file is damaged too, even if the file itself is not chosen. Call it for every
   * entry.
   */
  isDamaged({ healthy, hardLinkTarget: source }: ArchiveEntry, path: string): boolean {
    const damaged = !healthy || (source !== null && this.#damaged.has(canonicalPath(source)));
    if (damaged) this.#damaged.add(path);
    return damaged;
  }

  /** Call after all entries: the hard links that lead through symlinks which came after them. */
  *rejected(): Generator<RejectedEntry> {
    for (const { path, source } of this.#firstNames.values()) {
      const reason = this.#shape.problemOfHardLink(source);
      if (reason) yield { path, reason };
    }
  }

  /** Sources of chosen hard links that aren't chosen entries. */
  unchosen(): Map<string, HardLink> {
    return new Map([...this.#firstNames].filter(([name]) => !this.#shape.hasFile(name)));
  }
}
