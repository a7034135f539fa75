import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type {
  ArchiveEntry,
  BackupDriver,
  CreateArchiveInput,
  DriverErrorKind,
  OperationOptions,
  RepositoryTarget,
} from '@holdfast/plugin-api/driver';

/** The promise must reject with a DriverError of this kind that has a message; returns the error. */
export async function rejectsWith(
  promise: Promise<unknown>,
  kind: DriverErrorKind | null,
): Promise<Error & { kind: string; options: { holder?: string } }> {
  const error = await promise.then(
    () => assert.fail(`expected a DriverError "${kind}", but the operation succeeded`),
    (reason: unknown) => reason,
  );
  assert.ok(
    error instanceof Error && error.name === 'DriverError',
    `expected a DriverError, not ${String(error)}`,
  );
  const driverError = error as Error & { kind: string; options: { holder?: string } };
  if (kind !== null) assert.equal(driverError.kind, kind, driverError.message);
  assert.ok(driverError.message.length > 0, 'the error has no message');
  return driverError;
}

export const archiveInput = (sources: string[], name = 'first'): CreateArchiveInput => ({
  name,
  comment: '',
  sources,
  excludePatterns: [],
  compression: 'lz4',
  customFlags: [],
});

interface Listing {
  driver: BackupDriver;
  target: RepositoryTarget;
  archive: string;
  options?: OperationOptions;
}

export async function allEntries({ driver, target, archive, options }: Listing): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  for await (const batch of driver.listEntries(target, { archive }, options)) entries.push(...batch);
  return entries;
}

export async function bytesOf(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Also false for a zombie. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Polls every 20 ms: only for events without a notification. */
export async function until(claim: () => boolean, what: string, milliseconds = 5000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!claim()) {
    if (performance.now() > end) assert.fail(`${what} did not happen within ${milliseconds} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
