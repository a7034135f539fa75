/** What one block of a stream of server-sent events says. */
export interface SentEvent {
  /** The last id so far; a block may advance it without an event. */
  id: string | undefined;
  /** `message` if the block does not say. */
  event: string;
  /** Undefined if there is nothing to pass on. */
  data: string | undefined;
  /** The pause before the next connection, in milliseconds. */
  retry: number | undefined;
}

/**
 * Takes text as it arrives and returns the blocks that are complete. Unlike the usual libraries it also returns those
 * without data: heartbeats of Holdfast advance the id by them.
 */
export function makeEventParser(): (text: string) => SentEvent[] {
  let rest = '';
  let id: string | undefined;
  let lines: string[] = [];
  return (text) => {
    const events: SentEvent[] = [];
    rest += text;
    // A carriage return at the end may be half of a line break.
    for (let end = rest.search(lineEnd); end >= 0; end = rest.search(lineEnd)) {
      const line = rest.slice(0, end);
      rest = rest.slice(end).replace(/^(\r\n|\r|\n)/, '');
      if (line !== '') lines.push(line);
      else if (lines.length > 0) {
        const event = blockOf(lines, id);
        id = event.id;
        lines = [];
        events.push(event);
      }
    }
    return events;
  };
}

const lineEnd = /\n|\r(?=.|\n|\r)/;

function blockOf(lines: string[], lastId: string | undefined): SentEvent {
  const event: SentEvent = { id: lastId, event: 'message', data: undefined, retry: undefined };
  for (const line of lines) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'id') event.id = value;
    if (name === 'event') event.event = value;
    if (name === 'data') event.data = event.data === undefined ? value : `${event.data}\n${value}`;
    if (name === 'retry' && /^\d+$/.test(value)) event.retry = Number(value);
  }
  return event;
}
