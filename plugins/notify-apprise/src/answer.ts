/** What the server says of a failure, each on one line; empty when it says nothing. */
export interface Said {
  error: string;
  /** Its log of this call: what the services answered. */
  details: string;
}

const longestRead = 65_536;
const longestText = 300;

/**
 * Reads no more than the beginning, and leaves the rest. An answer that breaks off is one that says less.
 * @param mask takes secrets out of a text; done before the text is cut, where half a secret might stay
 */
export async function readAnswer(answer: Response, mask: (text: string) => string): Promise<Said> {
  const text = await beginning(answer);
  const shown = (words: string) =>
    cut(
      mask(words)
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
    // The status is known, and counts.
  }
  await reader.cancel().catch(() => undefined);
  return text;
}

/** Of a list of `[level, time, message]`. */
function messagesOf(details: unknown): string {
  if (!Array.isArray(details)) return '';
  return details.map((entry: unknown) => (Array.isArray(entry) ? String(entry[2] ?? '') : '')).join(' ');
}

const cut = (text: string) => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);
