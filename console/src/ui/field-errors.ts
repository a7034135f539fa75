import { type FieldError, HoldfastError } from '../api/client.js';
import { partsOf } from '../i18n/sentences.js';

/** Errors by field. Some sentences only begin with its name. */
function blamed(error: unknown): readonly FieldError[] {
  if (!(error instanceof HoldfastError) || error.status !== 400) return [];
  const { errors, detail, code = null, params } = error;
  const [, path, text = detail] = /^(\w+): (.*)$/s.exec(detail) ?? [];
  if (errors.some(({ message }) => message !== detail)) return errors;
  const blame = errors.length > 0 ? errors.map((each) => each.path) : path ? [path] : [];
  const parts = partsOf({ code, params, text: errors[0] ? detail : text });
  return blame.map((each) => ({ path: each, message: parts.map((part) => part.text).join('') }));
}

/** The server's error for this field of the body: `source_directories` also has `source_directories.0`. */
export const errorAt = (error: unknown, field: string): string | undefined =>
  blamed(error).find(({ path }) => path.split('.').includes(field))?.message;

export const isOfFields = (error: unknown): boolean => blamed(error).length > 0;

/** Moves to the first invalid field, and unfolds it if needed. */
export function focusInvalid(form: HTMLElement | null | undefined): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid=true]');
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}
