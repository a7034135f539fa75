/** One sentence for each field of a body that the request does not know; `reasons` say more of some. */
export const ignoredFields = (
  body: object,
  known: { shape: object },
  reasons: Readonly<Record<string, string>> = {},
): string[] =>
  Object.keys(body)
    .filter((field) => !Object.hasOwn(known.shape, field))
    .map((field) =>
      Object.hasOwn(reasons, field)
        ? `${field} ${reasons[field]}`
        : `${field} is not known here and was ignored.`,
    );
