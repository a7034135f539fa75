const longestName = 255;
/** Generic folder names, which do not describe the contents. */
const general = /^(borg|borg-?backups?|backups?|repos?|repository|data)$/i;

/** A unique, unused name for each path, made from its last folders. */
export function freeNames(paths: readonly string[], taken: readonly string[]): string[] {
  const used = new Set(taken);
  return paths.map((path) => {
    const parts = path
      .replace(/\p{Cc}/gu, ' ')
      .split('/')
      .filter((part) => !['', '.', '~'].includes(part));
    const last = parts.at(-1) ?? 'repository';
    const both = parts.slice(-2).join('-') || last;
    const base = (general.test(last) || used.has(last) ? both : last).slice(0, longestName - 8).trim();
    let name = base;
    for (let n = 2; used.has(name); n++) name = `${base}-${n}`;
    used.add(name);
    return name;
  });
}
