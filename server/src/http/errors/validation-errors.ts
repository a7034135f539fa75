import type { FieldError } from '@holdfast/core/server';
import type { RequestValidationError } from '@ts-rest/express';
import type { ZodError, ZodIssue } from 'zod';

const most = 20;

/** All validation errors of a request, each with its path in the body, query, path or headers. */
export function fieldErrors(error: RequestValidationError): FieldError[] {
  const parts: (ZodError | null)[] = [error.pathParams, error.query, error.body, error.headers];
  return parts
    .flatMap((part) => part?.issues.flatMap(innermost) ?? [])
    .slice(0, most)
    .map(fieldError);
}

/** One sentence with all errors. */
export const sentenceOf = (errors: readonly FieldError[]): string =>
  `${errors.map(({ path, message }) => `${path || 'the body'} ${message}`).join('; ')}.`.replace(
    /^the body/,
    'The body',
  );

/** Of a union's alternatives, uses the one that matched deepest. */
function innermost(issue: ZodIssue): ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const all = issue.unionErrors.map((error) => error.issues.flatMap(innermost));
  const depth = (issues: ZodIssue[]) => Math.max(0, ...issues.map(({ path }) => path.length));
  const deepest = Math.max(...all.map(depth));
  return all.find((issues) => depth(issues) === deepest) ?? [issue];
}

const fieldError = (issue: ZodIssue): FieldError => ({
  path: issue.path.join('.'),
  message: messageOf(issue),
});

function messageOf(issue: ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.received === 'undefined')
        return /^Required$/.test(issue.message) ? 'is required' : readable(issue.message);
      return `must be ${withArticle(issue.expected)}, not ${withArticle(issue.received)}`;
    case 'invalid_enum_value':
      return `must be one of ${issue.options.join(', ')}`;
    case 'invalid_literal':
      return `must be ${JSON.stringify(issue.expected)}`;
    case 'unrecognized_keys':
      return `does not have ${issue.keys.join(', ')}`;
    case 'too_small':
      return sized(issue.message, `must have at least ${issue.minimum}`, issue);
    case 'too_big':
      return sized(issue.message, `must have at most ${issue.maximum}`, issue);
    default:
      return readable(issue.message);
  }
}

const own = /^(must|is|has|may|does|can|holds|needs)\b/;
const readable = (message: string) =>
  own.test(message) ? message.replace(/\.$/, '') : `is wrong: ${message}`;

function sized(
  message: string,
  bound: string,
  { type, inclusive }: { type: string; inclusive: boolean },
): string {
  if (own.test(message)) return readable(message);
  if (type === 'string') return `${bound} characters`;
  if (type === 'array' || type === 'set') return `${bound} entries`;
  const number = bound.replace('must have', 'must be');
  return inclusive ? number : number.replace('at least', 'more than').replace('at most', 'less than');
}

const typeNames: Record<string, string> = {
  integer: 'a whole number',
  float: 'a number with a fraction',
  array: 'a list',
  object: 'an object',
  null: 'null',
  nan: 'not a number',
  string: 'text',
  boolean: 'true or false',
  undefined: 'missing',
};
const withArticle = (type: string) => typeNames[type] ?? `a ${type}`;
