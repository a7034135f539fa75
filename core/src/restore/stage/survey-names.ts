import { type ArchiveEntry, ArchiveShape, canonicalPath, problemOfName } from '@holdfast/plugin-api/driver';

interface HardLink {
  path: string;
  source: string;
}

export interface Refused {
  path: string;
  reason: string;
}

/**
 * Judges what an archive calls its entries, before any is written: a tool follows a `..`, a symlink on the way and the
 * source of a hard link wherever they lead. Nothing of it depends on what is taken off the paths afterwards.
 */
export class SurveyNames {
  readonly #shape = new ArchiveShape();
  readonly #damaged = new Set<string>();
  /** First names of chosen hard links, each with a link of it. */
  readonly #firstNames = new Map<string, HardLink>();

  /** An entry that is chosen: why it must not be brought back, or null. */
  add({ path: written, type, hardLinkTarget: source }: ArchiveEntry, path: string): string | null {
    const fault = problemOfName(written);
    if (fault) return `its path ${fault}`;
    if (source !== null) {
      const wrong = this.#shape.problemOfHardLink(source);
      if (wrong) return wrong;
      const name = canonicalPath(source);
      if (!this.#firstNames.has(name)) this.#firstNames.set(name, { path: written, source });
    }
    return this.#shape.add(path, type);
  }

  /** An entry that is not chosen matters only as what a hard link may lead through. */
  pass({ type }: ArchiveEntry, path: string): void {
    if (type === 'symlink') this.#shape.addElsewhere(path);
  }

  /** A further name of a damaged file is damaged, also when the file itself is not chosen. To be asked of every entry. */
  isDamaged({ healthy, hardLinkTarget: source }: ArchiveEntry, path: string): boolean {
    const damaged = !healthy || (source !== null && this.#damaged.has(canonicalPath(source)));
    if (damaged) this.#damaged.add(path);
    return damaged;
  }

  /** Once all entries are added: the links that lead through symlinks which came after them. */
  *refused(): Generator<Refused> {
    for (const { path, source } of this.#firstNames.values()) {
      const reason = this.#shape.problemOfHardLink(source);
      if (reason) yield { path, reason };
    }
  }

  /** First names of chosen hard links that are no chosen entries. */
  unchosen(): Map<string, HardLink> {
    return new Map([...this.#firstNames].filter(([name]) => !this.#shape.hasFile(name)));
  }
}
