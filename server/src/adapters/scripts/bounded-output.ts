import type { ScriptLine } from '@holdfast/core/server';

const outputLimits = {
  headLines: 500,
  headChars: 64 * 1024,
  tailLines: 500,
  tailChars: 64 * 1024,
} as const;

/** Retains the first and last lines of an output of any length. Head lines are passed on immediately. */
export class BoundedOutput {
  readonly #onLine: (line: ScriptLine) => void;
  #head: ScriptLine[] = [];
  #headChars = 0;
  #tail: ScriptLine[] = [];
  #tailChars = 0;
  #dropped = 0;
  #ended = false;

  constructor(onLine: (line: ScriptLine) => void) {
    this.#onLine = onLine;
  }

  add(line: ScriptLine): void {
    if (this.#ended) return;
    const { headLines, headChars } = outputLimits;
    const inHead = this.#tail.length === 0 && this.#dropped === 0 && this.#head.length < headLines;
    if (inHead && this.#headChars < headChars) {
      this.#head.push(line);
      this.#headChars += line.text.length + 1;
      this.#onLine(line);
      return;
    }
    this.#tail.push(line);
    this.#tailChars += line.text.length + 1;
    if (this.#tail.length > 2 * outputLimits.tailLines || this.#tailChars > 2 * outputLimits.tailChars)
      this.#trim();
  }

  /** Passes on the retained tail. Later lines are discarded. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#trim();
    for (const line of this.#rest()) this.#onLine(line);
  }

  /** The text of one stream, with a line instead of omitted output. */
  text(stream: ScriptLine['stream']): string {
    const gap = this.#dropped > 0 ? this.#head.length : -1;
    const lines = [...this.#head, ...this.#rest()].filter((line, at) => line.stream === stream || at === gap);
    return lines.map(({ text }) => `${text}\n`).join('');
  }

  #rest(): ScriptLine[] {
    if (this.#dropped === 0) return this.#tail;
    return [{ stream: 'stdout', text: `… ${this.#dropped} lines omitted …` }, ...this.#tail];
  }

  #trim(): void {
    let first = this.#tail.length;
    let chars = 0;
    while (first > 0 && this.#tail.length - first < outputLimits.tailLines) {
      chars += (this.#tail[first - 1]?.text.length ?? 0) + 1;
      if (chars > outputLimits.tailChars) break;
      first -= 1;
    }
    this.#dropped += first;
    this.#tail = this.#tail.slice(first);
    this.#tailChars = this.#tail.reduce((sum, { text }) => sum + text.length + 1, 0);
  }
}
