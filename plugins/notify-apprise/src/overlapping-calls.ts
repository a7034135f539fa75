/**
 * The secrets of concurrent calls. The server has one log for all of them: its answer to one call may contain lines
 * of another.
 */
export class OverlappingCalls {
  readonly #open = new Set<Set<string>>();

  /** `secrets` contains these secrets and those of every overlapping call, until `end`. */
  begin(secrets: readonly string[]): { secrets: ReadonlySet<string>; end(): void } {
    const all = new Set(secrets);
    for (const other of this.#open) {
      for (const secret of other) all.add(secret);
      for (const secret of secrets) other.add(secret);
    }
    this.#open.add(all);
    return { secrets: all, end: () => void this.#open.delete(all) };
  }
}
