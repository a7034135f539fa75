import type { Finding } from '@holdfast/plugin-api';

/** One area to check. A rejection is reported as a finding too. */
export interface Check {
  area: string;
  run(): Promise<Finding[]>;
}

export const ok = (text: string): Finding => ({ status: 'ok', text });
export const warning = (text: string, advice: string): Finding => ({ status: 'warning', text, advice });
export const failed = (text: string, advice?: string): Finding => ({
  status: 'failed',
  text,
  ...(advice !== undefined && { advice }),
});

/** Resolves to null if the file does not exist. */
export function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
}
