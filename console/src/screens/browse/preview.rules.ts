type ImageType = keyof typeof begins;

/** In bytes: how much is read of a text, and of an image. */
export const mostText = 256_000;
export const mostImage = 8_000_000;
/** Decoded, each takes 4 bytes of memory. */
export const mostPixels = 50_000_000;
/** These many first bytes show the type. */
export const headSize = 64;

const begins = {
  png: /^\x89PNG\r\n/,
  jpeg: /^\xff\xd8\xff/,
  gif: /^GIF8[79]a/,
  webp: /^RIFF.{4}WEBP/s,
  avif: /^.{4}ftyp.*avi[fs]/s,
};

/** By the first bytes, never by the name. SVG may contain scripts and addresses, so it is shown as text. */
export function imageIn(bytes: Uint8Array): ImageType | null {
  const head = String.fromCharCode(...bytes.subarray(0, headSize));
  return (Object.keys(begins) as ImageType[]).find((type) => begins[type].test(head)) ?? null;
}

/** Whether the end of the name stands for something else. */
export function isMisnamed(name: string, found: ImageType | null): boolean {
  const end =
    /.\.([a-z0-9]+)$/i
      .exec(name)?.[1]
      ?.toLowerCase()
      .replace(/^jpe?g?$/, 'jpeg') ?? '';
  return found === null ? Object.hasOwn(begins, end) : end !== '' && end !== found;
}

/** How many bytes of a file to read. */
export const wanted = (head: Uint8Array, size: number): number =>
  imageIn(head) === null ? mostText : size > mostImage ? headSize : size;

/** Pixels as the file says, before it is decoded: a small file can be a huge image. 0: it is broken. */
export function pixelsOf(bytes: Uint8Array, type: ImageType): number {
  try {
    return sizes[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch {
    return 0;
  }
}

const sizes: Record<ImageType, (view: DataView) => number> = {
  png: (view) => view.getUint32(16) * view.getUint32(20),
  gif: (view) => view.getUint16(6, true) * view.getUint16(8, true),
  jpeg: (view) => {
    let at = 2;
    // Up to the segment with the size of the frame; 0xc4, 0xc8 and 0xcc are others.
    while (!/^(c[^48c])$/.test(view.getUint8(at + 1).toString(16))) at += 2 + view.getUint16(at + 2);
    return view.getUint16(at + 5) * view.getUint16(at + 7);
  },
  webp: (view) => {
    const bits = view.getUint32(21, true);
    const kind = view.getUint8(15);
    if (kind === 0x4c) return ((bits & 0x3fff) + 1) * (((bits >> 14) & 0x3fff) + 1);
    if (kind === 0x58)
      return ((view.getUint32(24, true) & 0xffffff) + 1) * ((view.getUint32(26, true) >>> 8) + 1);
    return (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff);
  },
  avif: (view) => {
    let most = 0;
    // The largest image in it: each has its size in a box `ispe`.
    for (let at = 0; at + 16 <= view.byteLength && at < 100_000; at += 1)
      if (view.getUint32(at) === 0x69737065)
        most = Math.max(most, view.getUint32(at + 8) * view.getUint32(at + 12));
    return most;
  },
};

/** Null: it is binary. The last character may be cut. */
export function textIn(bytes: Uint8Array): string | null {
  const mark = bytes.subarray(0, 2).join();
  if (mark === '255,254' || mark === '254,255') {
    const text = new TextDecoder(mark === '255,254' ? 'utf-16le' : 'utf-16be').decode(bytes, {
      stream: true,
    });
    return /[\0\ufffd]/.test(text) ? null : text;
  }
  if (bytes.some((byte) => byte < 32 && (byte < 9 || byte > 13) && byte !== 27)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
