import type { Response } from 'undici';

/** What the server reports about a failure, one line each; empty if it reports nothing. */
export interface FailureReport {
  error: string;
  /** Its log of this call, with the answers of the services. */
  details: string;
}

const longestRead = 65_536;
const longestText = 300;

/**
 * Reads only the beginning of the answer. If the answer is cut off, the report is shorter.
 * @param mask removes secrets from a text; applied before the text is cut, because half a secret might remain
 */
export async function readAnswer(answer: Response, mask: (text: string) => string): Promise<FailureReport> {
  const text = await beginning(answer);
  const shown = (raw: string) =>
    cut(
      mask(raw)
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim(),
    );
  try {
    const { error, details } = JSON.parse(text) as { error?: unknown; details?: unknown };
    return { error: shown(String(error ?? '')), details: shown(messagesOf(details)) };
  } catch {
    return { error: shown(text), details: '' };
  }
}

async function beginning(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < longestRead) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The status is known, and that is enough.
  }
  await reader.cancel().catch(() => undefined);
  return text;
}

/** `details` is a list of `[level, time, message]`. */
function messagesOf(details: unknown): string {
  if (!Array.isArray(details)) return '';
  return details.map((entry: unknown) => (Array.isArray(entry) ? String(entry[2] ?? '') : '')).join(' ');
}

const cut = (text: string) => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);
