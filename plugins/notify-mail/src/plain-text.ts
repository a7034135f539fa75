const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text of a page for programs that do not show HTML. */
export const plainText = (html: string): string =>
  html
    .replace(/<(head|style|script)\b.*?<\/\1>/gis, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/<\/td>\s*<td[^>]*>/gi, ': ')
    .replace(/<br\s*\/?>|<\/tr>/gi, '\n')
    .replace(/<\/(h\d|p|div|table)>/gi, '\n\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => entities[name] ?? entity)
    .replace(/[ \t]*\n[ \t]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
