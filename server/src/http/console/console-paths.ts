/** The build creates no longer names; the limit also keeps the patterns fast. */
const longestPath = 200;
const asset = /^\/((?:docs\/)?assets\/\w[\w.-]*-[\w-]{8,}\.\w+)$/;
const file =
  /^\/(\w[\w-]*\.(?:css|ico|js|png|svg|txt|webmanifest)|docs\/(?:[\w-]+\/)*\w[\w-]*\.(?:html|png|svg|txt))$/;
/** Paths of the API and of files, which must never return the page, even if mistyped. */
const neverPage = /^\/(api|docs|health|metrics|assets\/)/i;

const nameIn = (path: string, pattern: RegExp): string | null =>
  path.length > longestPath ? null : (pattern.exec(path)?.[1] ?? null);

/** The path of a file whose name holds the hash of its content, so that it never changes. */
export const assetAt = (path: string): string | null => nameIn(path, asset);

/** The path of a file next to the page, or of one of the documentation. */
export const fileAt = (path: string): string | null => nameIn(path, file);

/** Whether the path is one of the console's own: its scripts know which screen it shows. */
export const mayBePage = (path: string): boolean => !neverPage.test(path);

/** Whether the path is the folder of the documentation. */
export const isDocs = (path: string): boolean => /^\/docs\/?$/.test(path);
