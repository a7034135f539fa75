/** Other names are none that the build writes; a bound also keeps the patterns quick. */
const longestPath = 200;
const asset = /^\/assets\/(\w[\w.-]*-[\w-]{8,}\.\w+)$/;
const file = /^\/(\w[\w-]*\.(?:css|ico|js|png|svg|txt|webmanifest))$/;
/** What programs call, and files: a typing error there must not be answered by a page. */
const neverPage = /^\/(api|health|metrics|assets\/)/i;

const nameIn = (path: string, pattern: RegExp): string | null =>
  path.length > longestPath ? null : (pattern.exec(path)?.[1] ?? null);

/** The name of a file whose name holds the hash of its content, so that it never changes. */
export const assetAt = (path: string): string | null => nameIn(path, asset);

/** The name of a file beside the page. */
export const fileAt = (path: string): string | null => nameIn(path, file);

/** Whether the path is one of the console's own: its scripts know which screen it shows. */
export const mayBePage = (path: string): boolean => !neverPage.test(path);
