/** One step of an automaton: consume one UTF-16 unit, or continue at several steps at once. */
export type Step = { test(unit: number): boolean } | { to: readonly number[] };

interface State {
  /** The active steps that consume a unit. */
  at: readonly number[];
  accepts: boolean;
  next: Map<number, State>;
}

/** How many transitions are cached. */
const maxMoves = 5_000;

/**
 * Matches texts with a nondeterministic automaton by following all branches at once, so each text is read only once.
 * The sets of active steps are cached, so most units cost one table lookup.
 */
export class Automaton {
  readonly #states = new Map<string, State>();
  readonly #begin: State;
  #moves = 0;

  constructor(private readonly steps: readonly Step[]) {
    this.#begin = this.#stateAt([0]);
  }

  matches(text: string): boolean {
    let state = this.#begin;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      state = state.next.get(unit) ?? this.#move(state, unit);
      if (state.at.length === 0 && !state.accepts) return false;
    }
    return state.accepts;
  }

  #move(state: State, unit: number): State {
    if (++this.#moves > maxMoves) this.#forget();
    const after = state.at.filter((at) => {
      const step = this.steps[at];
      return step && 'test' in step && step.test(unit);
    });
    const next = this.#stateAt(after.map((at) => at + 1));
    state.next.set(unit, next);
    return next;
  }

  #forget(): void {
    for (const state of [this.#begin, ...this.#states.values()]) state.next.clear();
    this.#states.clear();
    this.#moves = 0;
  }

  #stateAt(places: readonly number[]): State {
    const at: number[] = [];
    const seen = new Set<number>();
    const open = [...places];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (seen.has(place)) continue;
      seen.add(place);
      const step = this.steps[place];
      if (step && 'to' in step) open.push(...step.to);
      else if (step) at.push(place);
    }
    const accepts = seen.has(this.steps.length);
    const key = `${at.sort((a, b) => a - b).join()} ${accepts}`;
    const known = this.#states.get(key) ?? { at, accepts, next: new Map() };
    this.#states.set(key, known);
    return known;
  }
}
