import type { RemoteStorageUsage } from '@holdfast/core/server';

const kilobyte = 1024;

/** Parses the output of `df -k` for one file system, ignoring text before it; null for any other output. */
export function parseDf(output: string): RemoteStorageUsage | null {
  const lines = output.split(/\r?\n/).reverse();
  for (const line of lines) {
    const found = figuresOf(line);
    if (!found) continue;
    const [total = 0, used = 0, available = 0, percentUsed = 0] = found;
    const bytes = [total, used, available].map((blocks) => Math.max(blocks, 0) * kilobyte);
    if (total === 0 || !bytes.every(Number.isSafeInteger)) return null;
    const [totalBytes = 0, usedBytes = 0, availableBytes = 0] = bytes;
    return { total: totalBytes, used: usedBytes, available: availableBytes, percentUsed };
  }
  return null;
}

const forms = [/^\d+$/, /^\d+$/, /^-?\d+$/, /^\d+%$/, /^\//];

/** `size used available percent% mount point`, after the device name or on a separate line. */
function figuresOf(line: string): number[] | null {
  const words = line.split(/\s+/);
  const begin = words.findIndex((_, at) => forms.every((form, index) => form.test(words[at + index] ?? '')));
  return begin < 0 ? null : words.slice(begin, begin + 4).map((word) => Number.parseInt(word, 10));
}
