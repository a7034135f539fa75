import { createHash, randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface OwnFile {
  path: string;
  content: string;
  mode: number;
}

/**
 * By path: the SHA-256 of the written content and of the previous content, because a crash may happen between
 * the two.
 */
type Book = Record<string, string[]>;

/**
 * Manages files in folders that other programs use too. A record of the written content identifies our files;
 * a file with any other content is never changed or removed.
 */
export function makeOwnFiles(bookPath: string) {
  const readBook = async (): Promise<Book> => JSON.parse((await contentOf(bookPath)) ?? '{}') as Book;
  const saveBook = async (book: Book) => {
    await mkdir(dirname(bookPath), { recursive: true, mode: 0o700 });
    await writeWhole({ path: bookPath, content: JSON.stringify(book), mode: 0o600 });
  };

  const remove = async (keep: (path: string) => boolean): Promise<void> => {
    const book = await readBook();
    const going = Object.keys(book).filter((path) => !keep(path));
    if (going.length === 0) return;
    for (const path of going) {
      const content = await contentOf(path);
      if (content !== null && isOurs(book, { path, content })) await unlink(path);
      delete book[path];
    }
    await saveBook(book);
  };

  return {
    /** The path of a foreign file at the location of one of these files, or null. */
    async inTheWay(files: readonly OwnFile[]): Promise<string | null> {
      const book = await readBook();
      for (const { path, content } of files) {
        const found = await contentOf(path);
        if (found !== null && found !== content && !isOurs(book, { path, content: found })) return path;
      }
      return null;
    },
    /** Writes these files and removes all our other files. Call `inTheWay` first. */
    async write(files: readonly OwnFile[]): Promise<void> {
      const book = await readBook();
      const noted = { ...book };
      for (const { path, content } of files) {
        noted[path] = [...new Set([hashOf(content), ...(book[path] ?? [])])].slice(0, 2);
      }
      if (JSON.stringify(noted) !== JSON.stringify(book)) await saveBook(noted);
      for (const file of files) await put(file);
      await remove((path) => files.some((file) => file.path === path));
    },
    removeAll: () => remove(() => false),
  };
}

const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');
const isOurs = (book: Book, { path, content }: Pick<OwnFile, 'path' | 'content'>) =>
  book[path]?.includes(hashOf(content)) ?? false;

/** Null if there is no such file. */
export async function contentOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function put(file: OwnFile): Promise<void> {
  const { path, content, mode } = file;
  const found = await contentOf(path);
  if (found === null) await writeNew(file);
  else if (found !== content) await writeWhole(file);
  else if (((await stat(path)).mode & 0o7777) !== mode) await chmod(path, mode);
}

/** Writes atomically and replaces an existing file. */
export const writeWhole = (file: OwnFile): Promise<void> =>
  withDraft(file, (draft) => rename(draft, file.path));

/** Writes atomically. Rejects with EEXIST if another process created the file first. */
const writeNew = (file: OwnFile): Promise<void> => withDraft(file, (draft) => link(draft, file.path));

async function withDraft(
  { path, content, mode }: OwnFile,
  place: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
    await chmod(draft, mode);
    await place(draft);
  } finally {
    await rm(draft, { force: true });
  }
}
