import { createHash, randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface OwnFile {
  path: string;
  content: string;
  mode: number;
}

/** By path, the SHA-256 of what was written there, also of what stood there before: a crash may come in between. */
type Book = Record<string, string[]>;

/**
 * Files in folders that others use too. A book of what was written tells which are ours: a file that holds
 * anything else is never changed or removed.
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
    /** The path of a file that is not ours and stands where one of these must go; null when there is none. */
    async inTheWay(files: readonly OwnFile[]): Promise<string | null> {
      const book = await readBook();
      for (const { path, content } of files) {
        const found = await contentOf(path);
        if (found !== null && found !== content && !isOurs(book, { path, content: found })) return path;
      }
      return null;
    },
    /** Writes these, which nothing stands in the way of, and removes all others of ours. */
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

/** Null when there is no such file. */
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

/** The whole content or nothing; what is there is replaced. */
export const writeWhole = (file: OwnFile): Promise<void> =>
  withDraft(file, (draft) => rename(draft, file.path));

/** Rejects with EEXIST when something appeared there meanwhile. */
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
