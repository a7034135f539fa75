import type { Message } from '@holdfast/core/server';

/** An error in the HTTP message itself, not in what it requests. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  constructor(
    readonly status: number,
    readonly reason: Message,
  ) {
    super(reason.text);
  }
}
