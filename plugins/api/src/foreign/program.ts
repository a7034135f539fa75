/**
 * Runs in a child: calls of `node:fs/promises`, as many as a message holds. A text, because it must run from the sources of a
 * test as well as from a bundle.
 */
export const program = `
const fs = require('node:fs');
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
const careful = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
const kinds = [['isDirectory', 'd'], ['isFile', 'f'], ['isSymbolicLink', 'l']];
const entry = (each) => [each.name, kinds.find(([is]) => each[is]())?.[1] ?? 'o'];
const entries = (list) => list.map((each) => (each instanceof fs.Dirent ? entry(each) : each));
const folders = new Map();
const handles = new Map();
let last = 0;
const keep = (map, value) => (map.set((last += 1), value), last);
const own = {
  async opendir(path, options, most) {
    const id = keep(folders, await fs.promises.opendir(path, options));
    return [id, await own.some(id, most)];
  },
  async some(id, most) {
    const found = [];
    try {
      for (let each; found.length < most && (each = await folders.get(id).read()); ) found.push(each);
    } finally {
      if (found.length < most) await own.closedir(id);
    }
    return entries(found);
  },
  async closedir(id) {
    const folder = folders.get(id);
    folders.delete(id);
    await folder.close();
  },
  async opens(path) {
    await (await fs.promises.open(path, careful)).close();
  },
  async begin(path, most, links) {
    const file = await fs.promises.open(path, links ? careful & ~O_NOFOLLOW : careful);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw Object.assign(new Error('not a regular file'), { code: 'EFTYPE' });
      const buffer = Buffer.alloc(Math.min(most + 1, 65536));
      const pieces = [];
      for (let left = most + 1; left > 0; ) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(left, buffer.length), null);
        if (bytesRead === 0) break;
        pieces.push(Buffer.from(buffer.subarray(0, bytesRead)));
        left -= bytesRead;
      }
      return Buffer.concat(pieces);
    } finally {
      await file.close();
    }
  },
  async hold(path, flags, mode) {
    const handle = await fs.promises.open(path, flags, mode);
    return [keep(handles, handle), handle.fd];
  },
  async with(id, call, ...args) {
    const handle = handles.get(id);
    if (call === 'close') handles.delete(id);
    return handle[call](...args);
  },
};
const answers = [];
const send = () => process.send(answers.splice(0));
const answer = (...given) => answers.push(given) === 1 && setImmediate(send);
const run = async ([id, call, args]) => {
  try {
    const value = await (own[call] ?? fs.promises[call])(...args);
    const kind = typeof value?.ino === 'bigint' ? 'bigint' : value instanceof fs.Stats ? 'stats' : 'value';
    answer(id, kind, Array.isArray(value) ? entries(value) : value);
  } catch ({ code, errno, syscall, path, message }) {
    answer(id, 'error', { code, errno, syscall, path, message });
  }
};
process.on('message', (asked) => asked.forEach(run));
process.on('disconnect', () => process.exit());
`;
