import { type ArchiveEntry, DriverError } from '@holdfast/plugin-api/driver';
import { EscapedSplitter } from './escaped-splitter.js';
import { HardLinkNames } from './hard-link-names.js';
import { parseToolTime } from './time.js';
import { decodeUnicodeEscape } from './unicode-escape.js';

/**
 * The format that `EntryParser` reads, in `unicode_escape`: six fields, each ended by an (escaped) NUL. The tool
 * accepts names and owners with a NUL from the author of an archive. So each entry ends with an unguessable mark, and
 * nobody can forge or hide entries.
 */
export const entryFormat = (mark: string): string =>
  `{type} {mode} {size} {isomtime} {health} {num_chunks} {uid} {gid}{NUL}{user}{NUL}{group}{NUL}{source}{NUL}{bpath}{NUL}${mark}{NUL}`;

const fieldsPerEntry = 6;
/** No chunker of borg cuts smaller pieces, except for the last one and the header of a disk image. */
const smallestChunk = 64;

const types: Record<string, ArchiveEntry['type']> = { '-': 'file', d: 'directory', l: 'symlink' };

/** Reads the listing in pieces that may end anywhere. */
export class EntryParser {
  private readonly splitter = new EscapedSplitter('\\x00');
  private fields: string[] = [];
  private readonly links = new HardLinkNames();

  constructor(private readonly mark: string) {}

  /** Throws DriverError `damaged` for an entry that contains a NUL. */
  push(piece: string): ArchiveEntry[] {
    const entries: ArchiveEntry[] = [];
    for (const field of this.splitter.push(piece)) {
      if (this.fields.push(field) < fieldsPerEntry) continue;
      if (this.fields.pop() !== this.mark)
        throw new DriverError(
          'damaged',
          'The archive contains an entry with a NUL character, so its listing cannot be trusted.',
        );
      entries.push(this.entry(this.fields as [string, string, string, string, string]));
      this.fields = [];
    }
    return entries;
  }

  /** False if the listing ended in the middle of an entry. */
  get isComplete(): boolean {
    return this.splitter.rest === '' && this.fields.length === 0;
  }

  private entry([facts, user, group, source, path]: [string, string, string, string, string]): ArchiveEntry {
    const [type = '', mode = '', size, time = '', health, chunks, uid, gid] = facts.split(' ');
    const name = decodeUnicodeEscape(path);
    const target = source === '' ? null : decodeUnicodeEscape(source);
    const isSymlink = type === 'l';
    const isFurtherName = target !== null && !isSymlink;
    if (!isFurtherName) this.links.remember(name, time);
    const oversized = Number(chunks) > 2 + Number(size) / smallestChunk;
    return {
      path: name,
      type: types[type] ?? 'other',
      mode: type + mode.slice(1),
      user: decodeUnicodeEscape(user),
      group: decodeUnicodeEscape(group),
      uid: Number(uid),
      gid: Number(gid),
      size: Number(size),
      mtime: parseToolTime(time),
      hardLinkTarget: isFurtherName ? this.links.find(target, time) : null,
      symlinkTarget: isSymlink ? target : null,
      healthy: health === 'healthy' && !oversized,
      ...(oversized ? { oversized } : {}),
    };
  }
}
