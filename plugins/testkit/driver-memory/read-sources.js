// @ts-check
import { readFileSync } from 'node:fs';
import { lstat, open as openFile, readdir, readlink } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { bytesOfName, DriverError, nameOfBytes } from '@holdfast/plugin-api/driver';
import { blobSize, writeBlob } from './blobs.js';

/** @typedef {import('./archives.js').StoredEntry} StoredEntry */

/** Reads sources into the entries of an archive, and their content into blobs. */
export class Reader {
  /** @type {StoredEntry[]} */
  entries = [];
  /** @type {string[]} */
  warnings = [];
  stats = { originalSize: 0, compressedSize: 0, deduplicatedSize: 0, files: 0 };
  unread = { denied: /** @type {string[]} */ ([]), failed: /** @type {string[]} */ ([]), more: 0 };
  #firstNames = new Map();
  #reportedAt = 0;
  #folder;
  #tool;
  #onProgress;
  #isExcluded;
  #overlays;

  /**
   * @param {{ folder: string, input: import('@holdfast/plugin-api/driver').CreateArchiveInput,
   *   tool: import('./tool.js').Tool,
   *   onProgress: import('@holdfast/plugin-api/driver').OperationOptions['onProgress'] }} options
   */
  constructor({ folder, input, tool, onProgress }) {
    this.#folder = folder;
    this.#tool = tool;
    this.#onProgress = onProgress;
    // A longer path may be below another.
    this.#overlays = [...(input.overlays ?? [])].sort((a, b) => b.path.length - a.path.length);
    const patterns = input.excludePatterns.map(patternOf);
    this.#isExcluded = (/** @type {string} */ path) => patterns.some((pattern) => pattern.test(path));
  }

  /** @param {import('@holdfast/plugin-api/driver').ArchiveStream} stream */
  async addStream({ path, open }) {
    const owner = { user: userInfo().username, group: '0', uid: process.getuid?.(), gid: process.getgid?.() };
    const kind = {
      type: /** @type {const} */ ('file'),
      mode: '-rw-------',
      mtime: Date.now(),
      healthy: true,
    };
    /** @type {StoredEntry} */
    const entry = { path, ...kind, ...owner, size: 0, hardLinkTarget: null, symlinkTarget: null, blobs: [] };
    for await (const bytes of await open(this.#tool.signal)) {
      this.#keep(entry, bytes);
      entry.size += bytes.length;
    }
    this.stats.files += 1;
    this.entries.push(entry);
  }

  /** Where a path is really read. @param {string} path */
  #at(path) {
    const overlay = this.#overlays.find((one) => path === one.path || path.startsWith(`${one.path}/`));
    return bytesOfName(overlay ? overlay.from + path.slice(overlay.path.length) : path);
  }

  /** Adds what is at an absolute path and below it. @param {string} path @returns {Promise<void>} */
  async add(path) {
    if (this.#isExcluded(path)) return;
    try {
      const entry = await this.#entryOf(path);
      this.entries.push(entry);
      if (entry.type === 'file' && entry.hardLinkTarget === null) await this.#read(path, entry);
      this.#report(entry.path);
      if (entry.type !== 'directory') return;
      const names = await readdir(this.#at(path), { encoding: 'buffer' });
      for (const name of names.map(nameOfBytes).sort()) await this.add(`${path.replace(/\/$/, '')}/${name}`);
    } catch (error) {
      this.#leaveOut(path, error);
    }
  }

  /** @param {string} path @param {unknown} error */
  #leaveOut(path, error) {
    if (error instanceof DriverError) throw error;
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (['ENOSPC', 'EROFS'].includes(code)) throw error;
    if (code === 'EACCES') this.unread.denied.push(path);
    else if (code === 'EIO') this.unread.failed.push(path);
    this.warnings.push(`${path}: ${message}`);
  }

  /** @param {string} path @returns {Promise<StoredEntry>} */
  async #entryOf(path) {
    const facts = await lstat(this.#at(path));
    const isFile = facts.isFile();
    const inode = `${facts.dev}:${facts.ino}`;
    const stored = path.slice(1);
    const first = isFile && facts.nlink > 1 ? this.#firstNames.get(inode) : undefined;
    if (isFile && first === undefined) this.#firstNames.set(inode, stored);
    const link = facts.isSymbolicLink() ? nameOfBytes(await readlink(this.#at(path), 'buffer')) : null;
    if (isFile) this.stats.files += 1;
    return {
      path: stored,
      type: isFile ? 'file' : facts.isDirectory() ? 'directory' : link === null ? 'other' : 'symlink',
      mode: modeText(facts.mode),
      user: nameOf('/etc/passwd', facts.uid),
      group: nameOf('/etc/group', facts.gid),
      uid: facts.uid,
      gid: facts.gid,
      size: isFile && first === undefined ? facts.size : link === null ? 0 : Buffer.byteLength(link),
      mtime: facts.mtimeMs,
      hardLinkTarget: first ?? null,
      symlinkTarget: link,
      healthy: true,
      blobs: [],
    };
  }

  /** @param {string} path @param {StoredEntry} entry */
  async #read(path, entry) {
    if (entry.size === 0) return;
    const file = await openFile(this.#at(path));
    try {
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(blobSize), 0, blobSize);
        if (bytesRead === 0) return;
        this.#keep(entry, buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }

  /** @param {StoredEntry} entry @param {Buffer} bytes */
  #keep(entry, bytes) {
    this.#tool.go();
    const { name, added } = writeBlob(this.#folder, bytes);
    entry.blobs.push(name);
    this.stats.originalSize += bytes.length;
    this.stats.compressedSize += bytes.length;
    this.stats.deduplicatedSize += added;
    this.#report(entry.path);
  }

  /** At most four times a second. @param {string} currentPath */
  #report(currentPath) {
    if (performance.now() - this.#reportedAt < 250) return;
    this.#reportedAt = performance.now();
    this.#onProgress?.({ ...this.stats, currentPath });
  }
}

/**
 * `fm`, the default: `*` and `?` match any characters, and what is below goes, too; `pp`: a path and what is below;
 * `pf`: one path.
 * @param {string} pattern
 */
function patternOf(pattern) {
  const [, style = 'fm', text = ''] = /^(?:([a-z]{2}):)?(.*)$/s.exec(pattern) ?? [];
  if (!['fm', 'pp', 'pf'].includes(style))
    throw new DriverError('usage', `${style}: patterns are not offered.`);
  const literal = text.replace(/^\/|\/$/g, '').replace(/[.+^${}()|[\]\\*?]/g, '\\$&');
  const path = style === 'fm' ? literal.replaceAll('\\*', '.*').replaceAll('\\?', '.') : literal;
  return new RegExp(`^/?${path}${style === 'pf' ? '$' : '(/|$)'}`, 's');
}

/** As `ls -l` shows it. @param {number} mode */
function modeText(mode) {
  const kinds = /** @type {Record<number, string>} */ ({
    1: 'p',
    2: 'c',
    4: 'd',
    6: 'b',
    8: '-',
    10: 'l',
    12: 's',
  });
  const bits = [...'rwxrwxrwx'].map((letter, at) => ((mode >> (8 - at)) & 1 ? letter : '-'));
  return (kinds[mode >> 12] ?? '?') + bits.join('');
}

/** @param {string} file @param {number} id */
function nameOf(file, id) {
  const line = new RegExp(`^([^:]+):[^:]*:${id}:`, 'm');
  return line.exec(readFileSync(file, 'utf8'))?.[1] ?? `${id}`;
}
