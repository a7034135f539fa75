import { Message, type MessageParams, say } from '@holdfast/plugin-api';

/** Values that let a sentence about a reason be translated with it. `name`: of the reason in that sentence. */
export const asReason = ({ code, params }: Message, name = 'reason') => ({
  [`${name}_code`]: code,
  [`${name}_values`]: JSON.stringify(params),
});

/** What the backup tool warned of, in its own words. */
export const toolWarnings = (warnings: readonly string[]): Message[] =>
  warnings.map((warning) => say`tool_warning: ${{ warning }}`);

type PlainMessage = Pick<Message, 'code' | 'params' | 'text'>;

/** A message as JSON keeps it. Rows of earlier releases have only the sentence. */
export type StoredMessage = string | PlainMessage;

export const storedMessage = ({ code, params, text }: Message): PlainMessage => ({ code, params, text });

export const messageFrom = (stored: StoredMessage): Message =>
  typeof stored === 'string'
    ? say`sentence_of_earlier_release: ${{ sentence: stored }}`
    : new Message(stored.code, stored.params, stored.text);

/** The message of such columns. */
export const messageOfColumns = (text: string, code: string | null, params: MessageParams | null): Message =>
  messageFrom(code === null ? text : { code, params: params ?? {}, text });

export const lastErrorOf = (row: Columns<'last_error', 'last_error'>): Message | null =>
  row.last_error === null
    ? null
    : messageOfColumns(row.last_error, row.last_error_code, row.last_error_params);

type Columns<Text extends string, Prefix extends string> = Record<Text | `${Prefix}_code`, string | null> &
  Record<`${Prefix}_params`, MessageParams | null>;

const columns = <Text extends string, Prefix extends string>(
  text: Text,
  prefix: Prefix,
  message: Message | null,
) =>
  ({
    [text]: message?.text ?? null,
    [`${prefix}_code`]: message?.code ?? null,
    [`${prefix}_params`]: message?.params ?? null,
  }) as Columns<Text, Prefix>;

/** The columns that hold a message, to be written together. */
export const errorColumns = (message: Message | null) => columns('error_message', 'error', message);
export const lastErrorColumns = (message: Message | null) => columns('last_error', 'last_error', message);
export const reasonColumns = (message: Message | null) => columns('reason', 'reason', message);
export const waitingColumns = (message: Message | null) => columns('waiting_for', 'waiting_for', message);

/** Copies of the values, as answers have them. Rows of earlier releases have none. */
export type ShownParams = Record<string, string | number | string[]>;
export const shownParams = (params: MessageParams | null): ShownParams => ({ ...params }) as ShownParams;
export const codeOf = ({ code, params }: Message) => ({ code, params: shownParams(params) });

/** A message as an object of an answer. */
export const sentenceOf = (message: Message) => ({ ...codeOf(message), text: message.text });
export const shownMessage = ({ code, params, text }: Message) => ({
  message: text,
  message_code: code,
  message_params: shownParams(params),
});
/** A reason as fields of an answer. */
export const shownReason = (message: Message | null) => ({
  ...reasonColumns(message),
  reason_params: shownParams(message?.params ?? null),
});
