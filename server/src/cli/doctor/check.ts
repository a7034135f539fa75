import type { Finding } from '@holdfast/plugin-api';

/** One area that is looked at. What it rejects with is a finding too. */
export interface Check {
  area: string;
  look(): Promise<Finding[]>;
}

export const ok = (text: string): Finding => ({ status: 'ok', text });
export const warning = (text: string, advice: string): Finding => ({ status: 'warning', text, advice });
export const failed = (text: string, advice?: string): Finding => ({
  status: 'failed',
  text,
  ...(advice !== undefined && { advice }),
});

/** Resolves to null where there is nothing. */
export function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
}
