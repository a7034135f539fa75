/** `collecting`: waits for more failures of its kind. `parked`: given up, until a person asks for it again. */
export const deliveryStatuses = ['collecting', 'pending', 'delivered', 'parked'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const second = 1_000;
const firstPause = 5 * second;
const longestPause = 15 * 60 * second;

/** So long after it was queued a message is tried again; then it is parked. */
export const triedFor = 24 * 60 * 60 * second;

/** The pause after so many failed tries, 1 or more, in milliseconds: 5 s, doubling to 15 min. */
export const pauseAfter = (attempts: number): number =>
  Math.min(longestPause, firstPause * 2 ** Math.min(attempts - 1, 20));

/** When to try again after a failure at `now`, or null when it is time to give up. */
export function nextAttempt(
  { attempts, queuedAt }: { attempts: number; queuedAt: number },
  now: number,
): number | null {
  const next = now + pauseAfter(attempts);
  return next <= queuedAt + triedFor ? next : null;
}

/** What became of one try. `reason` is for people and without secrets. */
export type Transmission = { sent: true } | { sent: false; retryable: boolean; reason: string };
