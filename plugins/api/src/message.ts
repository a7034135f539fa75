export type MessageParams = Readonly<Record<string, string | number | readonly string[]>>;

/** A sentence for users. `code` never changes, even if the wording does: programs match and translate it. */
export class Message {
  constructor(
    readonly code: string,
    readonly params: MessageParams,
    readonly text: string,
  ) {}

  toString(): string {
    return this.text;
  }

  /** Adds values that the sentence does not show. */
  with(params: MessageParams): Message {
    return new Message(this.code, { ...this.params, ...params }, this.text);
  }

  /** Applies `change` to the sentence and to each text among its values. */
  map(change: (text: string) => string): Message {
    return new Message(this.code, mapParams(this.params, change), change(this.text));
  }
}

export const mapParams = (params: MessageParams, change: (text: string) => string): MessageParams =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (typeof value === 'number') return [name, value];
      return [name, typeof value === 'string' ? change(value) : value.map(change)];
    }),
  );

/**
 * Writes a message: say`connection_unknown: There is no connection ${{ id }}.` The code stands before the first colon.
 * Each value is an object with one entry, its name and value. `npm run generate` lists all messages in
 * docs/developers/messages.md.
 */
export function say([start = '', ...texts]: TemplateStringsArray, ...values: MessageParams[]): Message {
  const [code = ''] = start.split(': ', 1);
  const shown = values.map((value) => Object.values(value).flat().join(', '));
  const raw = [start.slice(code.length + 2), ...texts];
  return new Message(code, Object.assign({}, ...values), String.raw({ raw }, ...shown));
}

const maxListed = 20;

/** Independent sentences as one message; null without any. Values of several: the first texts, their codes and their values as JSON. */
export function together(sentences: readonly Message[]): Message | null {
  const [first] = sentences;
  if (sentences.length < 2) return first ?? null;
  const listed = sentences.slice(0, maxListed);
  const params = {
    sentences: listed.map(({ text }) => text),
    codes: listed.map(({ code }) => code),
    values: listed.map((each) => JSON.stringify(each.params)),
  };
  return new Message('several_sentences', params, sentences.map(({ text }) => text).join(' '));
}
