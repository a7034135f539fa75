type Params = Record<string, string>;

/** The German of the sentences of the server, by their codes (docs/messages.md). Those that are missing stay English. */
const sentences: Record<string, (params: Params) => string> = {};
export default sentences;
