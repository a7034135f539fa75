/** A process of its own on a database: `node worker.mjs`, told by messages what to do. */
import { allEntities, schemaVersions } from '@holdfast/core/server';
import plugin from '@holdfast/storage-postgres';

const [settings, users, , , , jobs] = allEntities;
const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => log };
const configuration = plugin.configuration.parse({ url: process.env.TEST_DATABASE });
const storage = await plugin.create({ configuration, log });

const claim = (id) => storage.update(jobs, { id, fence: 0 }, { fence: 1, owner: `${process.pid}` });

/** As the callers of `transaction` do. */
async function repeated(work) {
  for (;;) {
    try {
      return await storage.transaction(work);
    } catch (error) {
      if (error.kind !== 'conflict') throw error;
    }
  }
}

const tasks = {
  start: () => storage.start({ schema: schemaVersions, stillWorking() {} }),
  /** The count of each claim. */
  claim: ({ id, times }) => Promise.all(Array.from({ length: times }, () => claim(id))),
  /** Raises a counter so many times, each by reading and writing in a transaction. */
  async count({ times }) {
    for (let time = 0; time < times; time++) {
      await repeated(async (session) => {
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
