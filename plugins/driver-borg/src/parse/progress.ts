import type { ToolProgress } from '@holdfast/plugin-api/driver';

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Null for lines without news: other kinds, and the empty one that ends each operation. */
export function parseProgress(data: Record<string, unknown>): ToolProgress | null {
  if (data.finished === true) return null;
  if (data.type === 'archive_progress') {
    return {
      originalSize: number(data.original_size),
      compressedSize: number(data.compressed_size),
      deduplicatedSize: number(data.deduplicated_size),
      files: number(data.nfiles),
      currentPath: text(data.path),
    };
  }
  if (data.type !== 'progress_percent' && data.type !== 'progress_message') return null;
  return {
    phase: text(data.msgid),
    current: number(data.current),
    total: number(data.total),
    message: text(data.message),
    ...(data.msgid === 'extract' && Array.isArray(data.info) ? { currentPath: text(data.info[0]) } : {}),
  };
}
