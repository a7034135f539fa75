import { Message } from '../../src/foundation/kernel/index.js';

/** A message for tests that are about something else. */
export const said = (text: string): Message => new Message('said', {}, text);
