/** The first ones, and what the others have together. */
export function firstOf<T extends { size: number }>(sorted: readonly T[], most: number) {
  // A single one takes no more room than a line about it.
  const shown = sorted.length === most + 1 ? sorted : sorted.slice(0, most);
  const others = sorted.slice(shown.length);
  const sum = (all: readonly T[]) => all.reduce((total, { size }) => total + size, 0);
  return { shown, count: others.length, size: sum(others), total: sum(sorted) };
}

/** Running jobs first, then waiting ones; otherwise as they come. */
export function presentFirst<T extends { status: string }>(jobs: readonly T[]): T[] {
  const rank = ({ status }: T) => ({ running: 0, pending: 1 })[status] ?? 2;
  return [...jobs].sort((one, other) => rank(one) - rank(other));
}
