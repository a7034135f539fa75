import { createHash } from 'node:crypto';

/**
 * How much of an archive was tested, and when: bytes of files that a drill restored with the same path, size
 * and time. A file that changed since then counts as another, untested file.
 */
export interface Coverage {
  /** Of all files of the archive. */
  bytes: number;
  /** By the time of the test. */
  passed: { at: number; bytes: number }[];
}

export const testedForMs = 90 * 86_400_000;

/** Percent with one decimal, rounded down: 100 means everything. Null for an archive without content. */
export function coveragePercent(coverage: Coverage | null, now: number): number | null {
  if (!coverage || coverage.bytes <= 0) return null;
  const since = now - testedForMs;
  const bytes = coverage.passed.reduce((sum, proof) => sum + (proof.at > since ? proof.bytes : 0), 0);
  return Math.floor(Math.min(1, bytes / coverage.bytes) * 1000) / 10;
}

/** Identifies a file as saved. */
const proofKey = ({ path, size, mtime }: { path: string; size: number; mtime: number }): string =>
  createHash('sha1').update(`${size} ${mtime} ${path}`).digest('base64url').slice(0, 16);

/** The latest test of each file. Results are added newest first; the first one for a file counts. */
export class Proofs {
  readonly #at = new Map<string, number>();

  constructor(private readonly limit = 200_000) {}

  get isFull(): boolean {
    return this.#at.size >= this.limit;
  }

  add(file: { path: string; size: number; mtime: number; verdict: string }, at: number): void {
    if (file.verdict === 'not_examined' || this.isFull) return;
    const key = proofKey(file);
    if (!this.#at.has(key)) this.#at.set(key, file.verdict === 'passed' ? at : 0);
  }

  /** When the file last passed; 0 if never, or if it failed since. */
  of(file: { path: string; size: number; mtime: number }): number {
    return this.#at.size === 0 ? 0 : (this.#at.get(proofKey(file)) ?? 0);
  }
}

/** Sums the bytes of an archive while its entries are read, and adds the results of a drill. */
export class CoverageTally {
  files = 0;
  bytes = 0;
  readonly #passed = new Map<number, number>();

  add(size: number, passedAt: number): void {
    this.files += 1;
    this.bytes += size;
    if (passedAt > 0) this.#move(size, passedAt, 1);
  }

  /** A file that was added gets a new verdict. */
  judge(size: number, passedAt: number, now: number | null): void {
    if (passedAt > 0) this.#move(size, passedAt, -1);
    if (now !== null) this.#move(size, now, 1);
  }

  get coverage(): Coverage {
    const passed = [...this.#passed].map(([at, bytes]) => ({ at, bytes })).filter(({ bytes }) => bytes > 0);
    return { bytes: this.bytes, passed: passed.sort((a, b) => a.at - b.at) };
  }

  #move(size: number, at: number, sign: number): void {
    this.#passed.set(at, (this.#passed.get(at) ?? 0) + sign * size);
  }
}
