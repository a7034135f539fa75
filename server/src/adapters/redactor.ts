import type { Redactor } from '@holdfast/core/server';

const mask = '***';
/** Shorter strings occur by chance. */
const shortest = 4;
const tokenParameter = /([?&](?:access_)?token=)[^&\s"'\\#]+/gi;
const bearer = /\b(Bearer\s+)[\w.~+/=-]+/gi;
const authorization = /\b(authorization["']?\s*[:=]\s*["']?(?:basic\s+)?)(?!bearer\b)[^\s"',]+/gi;

/** Masks registered secrets in all their encodings, and anything that looks like a credential. */
export function makeRedactor(): Redactor {
  const forms = new Map<string, number>();
  let longestFirst: string[] = [];
  const change = (form: string, by: 1 | -1) => {
    const count = (forms.get(form) ?? 0) + by;
    if (count > 0) forms.set(form, count);
    else forms.delete(form);
  };
  const sort = () => {
    longestFirst = [...forms.keys()].sort((a, b) => b.length - a.length);
  };
  return {
    protect(secret) {
      const own = formsOf(secret);
      for (const form of own) change(form, 1);
      sort();
      let held = true;
      return {
        release() {
          if (!held) return;
          held = false;
          for (const form of own) change(form, -1);
          sort();
        },
      };
    },
    redact(text) {
      let result = text;
      for (const form of longestFirst) if (result.includes(form)) result = result.replaceAll(form, mask);
      return maskCredentials(result);
    },
  };
}

/** A cheap pre-check for the three patterns: most texts match none. */
const hint = /token=|bearer|authorization/i;

const maskCredentials = (text: string) =>
  !hint.test(text)
    ? text
    : text
        .replace(tokenParameter, `$1${mask}`)
        .replace(bearer, `$1${mask}`)
        .replace(authorization, `$1${mask}`);

/** Plain, JSON-escaped and URL-encoded; for a multi-line secret also each long line. */
function formsOf(secret: string): Set<string> {
  const parts = [secret, ...secret.split('\n').filter((line) => secret.includes('\n') && line.length >= 16)];
  const forms = parts.flatMap((part) => [
    part,
    JSON.stringify(part).slice(1, -1),
    encodeURIComponent(wellFormed(part)),
  ]);
  return new Set(forms.filter((form) => form.length >= shortest));
}

/** `encodeURIComponent` throws on lone surrogates. */
const wellFormed = (text: string) => Buffer.from(text).toString();
