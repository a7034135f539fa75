import type { Schemas } from './schemas.js';

/** A message about one field of the input. */
export type FieldError = NonNullable<Schemas['ErrorBody']['errors']>[number];

export interface ErrorFacts {
  /** HTTP status; 0 if there was no answer, or none that could be read. */
  status: number;
  /** The sentence for people. */
  detail: string;
  /** Identifies the sentence. Absent in answers that are not from Holdfast, such as those of a proxy. */
  code?: string;
  /** The values in the sentence, by name. */
  params?: Schemas['ErrorBody']['params'];
  /** What is wrong with which field of the input; empty if no field is to blame. */
  errors?: FieldError[];
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
  /** With `second_factor_required`: for the next step of the sign-in. */
  secondFactor?: Schemas['ErrorBody']['second_factor'];
  /** Finds the request in the log of the server. */
  requestId?: string;
}

/** What every failed call throws, except for an abort by the caller's signal. */
export class HoldfastError extends Error implements ErrorFacts {
  override readonly name = 'HoldfastError';
  readonly status: number;
  readonly detail: string;
  readonly code: string | undefined;
  readonly params: NonNullable<ErrorFacts['params']>;
  readonly errors: FieldError[];
  readonly retryAfter: number | undefined;
  readonly secondFactor: ErrorFacts['secondFactor'];
  readonly requestId: string | undefined;

  constructor(facts: ErrorFacts, options?: ErrorOptions) {
    super(facts.detail, options);
    this.status = facts.status;
    this.detail = facts.detail;
    this.code = facts.code;
    this.params = facts.params ?? {};
    this.errors = facts.errors ?? [];
    this.retryAfter = facts.retryAfter;
    this.secondFactor = facts.secondFactor;
    this.requestId = facts.requestId;
  }
}

/** @param body the parsed body of a failed answer, or its text */
export function errorOf(response: Response, body: unknown): HoldfastError {
  const { status, statusText, headers } = response;
  const known: Partial<Schemas['ErrorBody']> = typeof body === 'object' && body !== null ? body : {};
  return new HoldfastError({
    status,
    detail: known.detail ?? `The server answered ${`${status} ${statusText}`.trim()}.`,
    code: known.code,
    params: known.params,
    errors: known.errors,
    secondFactor: known.second_factor,
    retryAfter: retryAfterOf(response),
    requestId: known.request_id ?? headers.get('X-Request-Id') ?? undefined,
  });
}

export function noAnswer(cause: unknown): HoldfastError {
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  return new HoldfastError({ status: 0, detail: `The server did not answer${why}.` }, { cause });
}

/** In seconds; undefined without the header, and for a date, which Holdfast never sends. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number.parseFloat(headers.get('Retry-After') ?? '');
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
