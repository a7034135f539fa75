const maxNames = 100_000;
const loneSurrogate = /\p{Surrogate}/gu;

/**
 * borg shows the first name of a hard-linked file with `?` for each byte that isn't UTF-8. All names of one file have
 * the same time to the microsecond, so the true first name is found by both. After 100,000 such names, the shown name
 * is used.
 */
export class HardLinkNames {
  private readonly names = new Map<string, string>();

  remember(path: string, time: string): void {
    if (this.names.size >= maxNames) return;
    const shown = path.replace(loneSurrogate, '?');
    if (shown !== path) this.names.set(`${shown}\0${time}`, path);
  }

  find(shown: string, time: string): string {
    return shown.includes('?') ? (this.names.get(`${shown}\0${time}`) ?? shown) : shown;
  }
}
