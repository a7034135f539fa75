import type { RemoteStorageUsage } from '@holdfast/core/server';

/** `size used available percent% mount point`, after a device name of any shape or on a line of its own. */
const row = /^(?:\S.*?)?\s*(?<![^\s])(\d+)\s+(\d+)\s+(-?\d+)\s+(\d+)%\s+\/.*$/;
const kilobyte = 1024;

/** What `df -k` wrote about one file system; null when it is something else. Text before it does no harm. */
export function parseDf(output: string): RemoteStorageUsage | null {
  const lines = output.split(/\r?\n/).reverse();
  for (const line of lines) {
    const found = row.exec(line);
    if (!found) continue;
    const [total = 0, used = 0, available = 0, percentUsed = 0] = found.slice(1).map(Number);
    const bytes = [total, used, available].map((blocks) => Math.max(blocks, 0) * kilobyte);
    if (total === 0 || !bytes.every(Number.isSafeInteger)) return null;
    const [totalBytes = 0, usedBytes = 0, availableBytes = 0] = bytes;
    return { total: totalBytes, used: usedBytes, available: availableBytes, percentUsed };
  }
  return null;
}
