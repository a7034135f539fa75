/** A refusal that concerns the HTTP message itself, not what it asks for. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  constructor(
    readonly status: number,
    readonly detail: string,
  ) {
    super(detail);
  }
}
