/** Unfinished archives that the tool leaves behind when it is interrupted. */
export const isCheckpointName = (name: string): boolean => /\.checkpoint(\.\d+)?$/.test(name);

/** `2026-03-01T02:00:00`, UTC. */
export const nameTime = (at: number): string => new Date(at).toISOString().slice(0, 19);

export const manualArchiveName = (startedAt: number): string => `manual-backup-${nameTime(startedAt)}`;

/** The name itself, or with `-2`, `-3`, … when it is taken. */
export function freeArchiveName(base: string, taken: (name: string) => boolean): string {
  let name = base;
  for (let n = 2; taken(name); n++) name = `${base}-${n}`;
  return name;
}

/** True for what an interrupted backup left whose name was to be `base`, also with the ending that made it free. */
export function isCheckpointOf(base: string, name: string): boolean {
  if (!isCheckpointName(name) || !name.startsWith(base)) return false;
  return /^(-\d+)*(\.checkpoint(\.\d+)?)+$/.test(name.slice(base.length));
}
