const day = 86_400;
const timeSteps = [
  ...[1, 5, 15, 30, 60, 120, 180, 360, 720].map((n) => n * 60),
  ...[1, 2, 7, 14, 30, 60, 91, 182, 365].map((n) => n * day),
];

/** Minutes, hours or local midnights in a range of seconds since 1970, at most `most`. */
export function timeTicks(from: number, to: number, most: number): number[] {
  const step = timeSteps.find((each) => (to - from) / each <= most) ?? 730 * day;
  const at = new Date(from * 1000);
  at.setHours(0, 0, 0, 0);
  // As far from one end as from the other, and not at the ends, where a label has no room.
  const rest = (to - from) % step;
  const first = (rest > (to - from) / 8 ? rest : rest + step) / 2;
  if (step > day) at.setDate(at.getDate() + Math.round(first / day));
  const ticks: number[] = [];
  for (; at.getTime() <= to * 1000; next(at, step))
    if (at.getTime() >= from * 1000) ticks.push(at.getTime() / 1000);
  return ticks;
}

/** By the local clock, which a change of the time moves. */
function next(at: Date, step: number): void {
  if (step < day) at.setTime(at.getTime() + step * 1000);
  else at.setDate(at.getDate() + step / day);
}

/** From 0 at equal distances, of `steps` or else 1, 2 or 5 times a power of ten; at most `most` above 0. */
export function valueTicks(top: number, most: number, steps?: readonly number[]): number[] {
  const power = 10 ** Math.floor(Math.log10(top / most));
  const known = steps ?? [1, 2, 5, 10].map((times) => times * power);
  const step = known.find((each) => top / each <= most) ?? top;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, n) => n * step);
}

/** The number nearest to `at` in rising numbers; -1 if there are none. */
export function nearest(numbers: readonly number[], at: number): number {
  const distance = (index: number) => Math.abs((numbers[index] ?? Number.POSITIVE_INFINITY) - at);
  return numbers.reduce(
    (best, _, index) => (distance(index) < distance(best) ? index : best),
    numbers.length > 0 ? 0 : -1,
  );
}
