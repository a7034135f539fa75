/** The releases that the driver names only by their version of the protocol. */
const releases: Record<string, string> = { 3: '3.0', 4: '3.2', 5: '3.4', 6: '3.6', 7: '4.0', 8: '4.2' };

/** A sentence for a server that the driver refuses because of its age, or null. */
export function oldServer(error: unknown): string | null {
  const text = error instanceof Error ? error.message : '';
  const found = /wire version (\d+), but .*requires at least \d+ \(MongoDB ([\d.]+)\)/.exec(text);
  if (!found) return null;
  const [, wire = '', needed = ''] = found;
  const release = releases[wire] ? `MongoDB ${releases[wire]}` : 'This MongoDB';
  return `${release} is too old for timers: use MongoDB ${needed} or newer. Until then planned runs start up to five seconds late.`;
}
