const longest = 255;

/**
 * A Content-Disposition header that makes browsers save the file (RFC 6266): an ASCII name for old clients,
 * and the full name as in RFC 5987. Uses only the last segment of a path and replaces control characters and
 * lone surrogates.
 */
export function attachment(fileName: string): string {
  const last = fileName.split('/').at(-1) ?? '';
  const name = wellFormed(last.replace(/[\p{Cc}\\]/gu, '_').slice(0, longest));
  const safe = name === '' || name === '.' || name === '..' ? 'download' : name;
  const ascii = safe.replace(/[^\x20-\x7e]/g, '_').replace(/["%]/g, '_');
  if (ascii === safe) return `attachment; filename="${ascii}"`;
  const encoded = encodeURIComponent(safe).replace(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

const wellFormed = (text: string) => Buffer.from(text).toString();
