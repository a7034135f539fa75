import { truncateSync, writeFileSync } from 'node:fs';
import { link, mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ExpectedFile {
  /** Name below the tree, as the port writes names: a byte that isn't UTF-8 is a lone surrogate. */
  name: string;
  content: Buffer;
}

const notUtf8 = Buffer.from([0x62, 0x61, 0x64, 0xff, 0xfe, 0x65]);
export const notUtf8Name = 'bad\udcff\udcfee';

const plainNames = [
  'plain',
  'plain2',
  'plainest.txt',
  'with space',
  'Übergröße-日本語-😀',
  'new\nline',
  'ends with newline\n',
  '-dash',
  'glob*?[x]',
  'back\\slash',
  'looks\\x00like',
  'tail\\',
  '{now}',
  'a"quote\'',
  'x'.repeat(255),
];

const atName = (folder: string, name: Buffer): Buffer => Buffer.concat([Buffer.from(`${folder}/`), name]);

/** Every kind of name and entry that a backup must restore. `hard-1`, `hard-2` and the two bad names are hard links. */
export async function makeOddTree(folder: string): Promise<ExpectedFile[]> {
  await mkdir(join(folder, 'sub', 'empty'), { recursive: true });
  const files: ExpectedFile[] = [];
  for (const [index, name] of plainNames.entries()) {
    const content = Buffer.from(`content ${index} of ${name}`);
    await writeFile(join(folder, name), content);
    files.push({ name, content });
  }
  await writeFile(join(folder, 'nothing'), '');
  files.push({ name: 'nothing', content: Buffer.alloc(0) });
  const sparse = await writeSparse(join(folder, 'sub', 'sparse'));
  files.push({ name: 'sub/sparse', content: sparse });
  await symlink('plain', join(folder, 'good-link'));
  await symlink('no/such/ü', join(folder, 'dangling-link'));
  return [...files, ...(await writeHardLinks(folder))];
}

async function writeSparse(path: string): Promise<Buffer> {
  const size = 1024 * 1024;
  const content = Buffer.alloc(size);
  content.write('at the end', size - 10);
  const file = await open(path, 'w');
  await file.write('at the end', size - 10);
  await file.close();
  return content;
}

async function writeHardLinks(folder: string): Promise<ExpectedFile[]> {
  const linked = Buffer.from('two names');
  await writeFile(join(folder, 'hard-1'), linked);
  await link(join(folder, 'hard-1'), join(folder, 'hard-2'));
  const bad = Buffer.from('not utf-8');
  await writeFile(atName(folder, notUtf8), bad);
  await link(atName(folder, notUtf8), atName(folder, Buffer.concat([notUtf8, Buffer.from([0xfc])])));
  return [
    { name: 'hard-1', content: linked },
    { name: 'hard-2', content: linked },
    { name: notUtf8Name, content: bad },
    { name: `${notUtf8Name}\udcfc`, content: bad },
  ];
}

/**
 * Files that any tool reads for a minute but that take no disk space: for what must happen in the middle of a backup.
 */
export async function makeEndlessSource(folder: string): Promise<string> {
  const source = join(folder, 'endless');
  await mkdir(source, { recursive: true });
  for (let index = 0; index < 500; index++) {
    const path = join(source, `file-${index}`);
    writeFileSync(path, '');
    truncateSync(path, 256 * 1024 ** 2);
  }
  return source;
}

/** So many long names that no pipe can buffer their listing. */
export async function makeLongListing(folder: string): Promise<number> {
  const count = 1500;
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < count; index++)
    writeFileSync(join(folder, `${String(index).padStart(4, '0')}-${'n'.repeat(240)}`), '');
  return count;
}

export async function makeSmallTree(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'file'), 'small');
  return folder;
}
