/** A process of its own on a database file: `node worker.mjs FILE`, told by messages what to do. */
import { allEntities, schemaVersions } from '@holdfast/core/server';
import plugin from '@holdfast/storage-sqlite';

const [settings, users, , , , jobs] = allEntities;
const [, , file] = process.argv;
const storage = await plugin.create({ configuration: { file } });

const claim = (id) => storage.update(jobs, { id, fence: 0 }, { fence: 1, owner: `${process.pid}` });

const tasks = {
  start: () => storage.start({ schema: schemaVersions, stillWorking() {} }),
  /** The count of each claim. */
  claim: ({ id, times }) => Promise.all(Array.from({ length: times }, () => claim(id))),
  /** Raises a counter so many times, each by reading and writing in a transaction. */
  async count({ times }) {
    for (let time = 0; time < times; time++) {
      await storage.transaction(async (session) => {
        const [row] = await session.find(settings, { where: { key: 'counter' } });
        await session.update(settings, { key: 'counter' }, { value: row.value + 1 });
      });
    }
  },
  /** Answers from within a transaction that never ends. */
  hang: () =>
    new Promise((resolve, reject) => {
      const work = async (session) => {
        await session.insert(users, { username: 'unfinished', password_hash: 'x', created_at: 1 });
        resolve();
        await new Promise(() => {});
      };
      storage.transaction(work).catch(reject);
    }),
  stop: () => storage.stop(),
};

process.on('message', async ({ task, ...input }) => {
  try {
    process.send({ result: (await tasks[task](input)) ?? null });
  } catch (error) {
    process.send({ error: String(error) });
  }
  if (task === 'stop') process.disconnect();
});
