import { INVALID, z } from 'zod';

/** Far more than an answer names. */
const mostIssues = 100;
const { _parseSync } = z.ZodType.prototype;
const { _parse } = z.ZodArray.prototype;

/**
 * Zod validates every entry of a list that is too long and describes each problem, which takes seconds for a
 * body below 1 MB and cannot be configured. This stops soon after a hundred problems, and one entry after the
 * longest list.
 */
export function boundValidation(): void {
  z.ZodType.prototype._parseSync = function (input) {
    return input.parent.common.issues.length > mostIssues ? INVALID : _parseSync.call(this, input);
  };
  z.ZodArray.prototype._parse = function (input) {
    const most = this._def.maxLength?.value ?? Number.POSITIVE_INFINITY;
    if (Array.isArray(input.data) && input.data.length > most) input.data = input.data.slice(0, most + 1);
    return _parse.call(this, input);
  };
}
