import { padded, TarBlocks } from './tar-blocks.js';
import { block, invalidTar, parsePax, parseTarHeader, type TarHeader } from './tar-header.js';

/** A member as the tool will read it. Names are bytes as latin1. */
export interface TarMember {
  path: string;
  type: 'file' | 'directory' | 'symlink' | 'other';
  /** Of a hard link: what it links to. */
  hardLinkTarget: string | null;
}

/** Keys of a global header that affect no member. */
const harmless = ['comment', 'GNU.volume.label'];
const longestText = 1024 * 1024;
const types: Record<string, TarMember['type']> = {
  0: 'file',
  1: 'file',
  2: 'symlink',
  3: 'other',
  4: 'other',
  5: 'directory',
  6: 'other',
};

/** What precedes a member and belongs to it. */
interface Ahead {
  bytes: Buffer[];
  pax: Map<string, string> | null;
  longName: string | null;
  longLink: string | null;
}

const nothing = (): Ahead => ({ bytes: [], pax: null, longName: null, longLink: null });

/**
 * The stream without the rejected members; every other byte is unchanged. Throws DriverError `failed` at the first
 * one that GNU tar would not have written. `complete` is called before the end mark, and may still throw.
 */
export async function* acceptedMembers(
  stream: AsyncIterable<Buffer>,
  accepts: (member: TarMember) => boolean,
  complete: () => void = () => {},
): AsyncGenerator<Buffer> {
  const blocks = new TarBlocks(stream);
  let ahead = nothing();
  try {
    for (;;) {
      const bytes = await blocks.take(block);
      if (bytes === null) throw invalidTar('it has no end mark');
      if (bytes.every((byte) => byte === 0)) break;
      const header = parseTarHeader(bytes);
      ahead.bytes.push(bytes);
      if (await readAhead(blocks, header, ahead)) continue;
      const { member, size } = memberOf(header, ahead);
      const accepted = accepts(member);
      if (accepted) yield* ahead.bytes;
      for await (const part of blocks.pass(padded(size))) if (accepted) yield part;
      ahead = nothing();
    }
    if (ahead.bytes.length > 0) throw invalidTar('a name without its file');
    let padding = block;
    for await (const part of blocks.rest()) {
      if (part.some((byte) => byte !== 0)) throw invalidTar('data after the end mark');
      padding += part.length;
      if (padding > longestText) throw invalidTar('too much padding');
    }
    // The tool ends the archive at the end mark, so it gets that only when all is known to be well.
    complete();
    yield Buffer.alloc(padding);
  } finally {
    await blocks.close();
  }
}

/** True for a header that describes the next member. */
async function readAhead(blocks: TarBlocks, { type, size }: TarHeader, ahead: Ahead): Promise<boolean> {
  if (!'xgLK'.includes(type)) return false;
  if (size > longestText) throw invalidTar('a name that is too long');
  const bytes = await blocks.take(padded(size));
  if (bytes === null || size === 0) throw invalidTar('it is cut off');
  ahead.bytes.push(bytes);
  const long = ahead.longName !== null || ahead.longLink !== null;
  if (type === 'g' && [...parsePax(bytes, size).keys()].some((key) => !harmless.includes(key)))
    throw invalidTar('a global header');
  if (type === 'x') {
    if (ahead.pax || long) throw invalidTar('two headers for one file');
    ahead.pax = parsePax(bytes, size);
  }
  if (type === 'L' || type === 'K') {
    const key = type === 'L' ? 'longName' : 'longLink';
    if (ahead.pax || ahead[key] !== null) throw invalidTar('two headers for one file');
    ahead[key] = longText(bytes, size);
  }
  return true;
}

function longText(bytes: Buffer, size: number): string {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\0');
  if (end !== size - 1 || /[^\0]/.test(text.slice(end))) throw invalidTar('an invalid long name');
  return text.slice(0, end);
}

function memberOf(
  { type, name, linkName, size: blockSize }: TarHeader,
  { pax, longName, longLink }: Ahead,
): { member: TarMember; size: number } {
  const kind = types[type];
  if (kind === undefined) throw invalidTar(`a member of type ${JSON.stringify(type)}`);
  const sparseName = pax?.get('GNU.sparse.name');
  const paxSize = pax?.get('size');
  if (sparseName !== undefined || pax?.has('GNU.sparse.major')) checkSparse(pax, type);
  const size = paxSize === undefined ? blockSize : Number(paxSize);
  if (size < 0 || !Number.isSafeInteger(size)) throw invalidTar('an invalid size');
  if (type !== '0' && (size > 0 || blockSize > 0)) throw invalidTar('content for a member without any');
  const path = sparseName ?? pax?.get('path') ?? longName ?? name;
  if (type === '0' && path.endsWith('/')) throw invalidTar('a file whose name ends with a slash');
  const hardLinkTarget = type === '1' ? (pax?.get('linkpath') ?? longLink ?? linkName) : null;
  return { member: { path, type: kind, hardLinkTarget }, size };
}

/** Only version 1.0, in which the map of the holes is part of the content. */
function checkSparse(pax: Map<string, string> | null | undefined, type: string): void {
  const version = `${pax?.get('GNU.sparse.major')}.${pax?.get('GNU.sparse.minor')}`;
  const rest = pax?.has('GNU.sparse.name') && pax.has('GNU.sparse.realsize');
  if (version !== '1.0' || !rest || pax?.has('path') || pax?.has('size') || type !== '0')
    throw invalidTar('an old form of sparse file');
}
