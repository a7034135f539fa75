import type { ToolLogLine } from '@holdfast/plugin-api/driver';

const analyzing = /^Analyzing archive (.+) \(\d+\/\d+\)$/s;
/** The content of a file is gone, and zeros replace it now or later. */
const lost =
  /(Replacing with all-zero chunk|It has an all-zero replacement chunk already|Generating new replacement chunk)\.$/;
/** The content is in the repository again, but only a repair puts it back into the file. */
const healed = /: Healed previously missing file chunk! \(Byte [^)]+\)\.$/;
const ofRepository = /orphaned|^Archive consistency check/;

/** Follows the messages of a check: it names an archive, then reports what it found there. */
export class ArchiveDamage {
  private readonly found = { lost: new Set<string>(), healed: new Set<string>() };
  private current: string | null = null;

  take(level: ToolLogLine['level'], text: string): void {
    const [, name] = analyzing.exec(text) ?? [];
    if (name !== undefined) this.current = name;
    else if (this.current === null) return;
    else if (lost.test(text) || (level === 'error' && !ofRepository.test(text)))
      this.found.lost.add(this.current);
    else if (healed.test(text)) this.found.healed.add(this.current);
  }

  /** Names of the archives with files that lost content. */
  names({ repaired }: { repaired: boolean }): string[] {
    return [...new Set([...this.found.lost, ...(repaired ? [] : this.found.healed)])];
  }
}
