/** PATH_MAX of Linux, without the NUL at its end. */
const longest = 4095;

/**
 * Why a path that a stranger wrote must not be followed, or null. Strangers are archives, tar streams, hosts and
 * repositories; a path is what an entry is called, or the file of which a hard link is to be a further name.
 */
export function faultOfName(path: string): string | null {
  if (path.length > longest) return `is longer than ${longest} characters`;
  if (path.includes('\0')) return 'has a NUL character';
  if (path.startsWith('/')) return 'begins with a slash';
  return path.includes('..') && path.split('/').includes('..') ? 'has ".." as a part' : null;
}
