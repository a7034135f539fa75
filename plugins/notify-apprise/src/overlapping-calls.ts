/**
 * The secrets of calls that went on at the same time. The server has one log for all of them: what it tells of one call
 * may hold lines of another.
 */
export class OverlappingCalls {
  readonly #open = new Set<Set<string>>();

  /** `overheard` holds these secrets and those of every call that overlaps with this one, until `end`. */
  begin(secrets: readonly string[]): { overheard: ReadonlySet<string>; end(): void } {
    const overheard = new Set(secrets);
    for (const other of this.#open) {
      for (const secret of other) overheard.add(secret);
      for (const secret of secrets) other.add(secret);
    }
    this.#open.add(overheard);
    return { overheard, end: () => void this.#open.delete(overheard) };
  }
}
