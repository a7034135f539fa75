import { definePlugin } from '@holdfast/plugin-api';
import type { Source } from '@holdfast/plugin-api/source';
import { z } from 'zod';
import { dump } from './dump.js';
import { fields } from './fields.js';
import { prove } from './prove.js';
import { restore } from './restore.js';
import { databasesOf, withServer } from './server.js';

/** Holdfast's own, where it is configured to use MongoDB. */
const ownCollection = 'holdfast_jobs';

/** MongoDB: one dump for each database. */
const mongodb: Source = {
  title: 'MongoDB',
  fields,
  async find(context) {
    try {
      return await withServer({}, { ...context, waitMs: 1_000 }, async (client) => {
        const found = await databasesOf(client, {});
        const isOwn = await Promise.all(
          found.map(({ name }) => client.db(name).listCollections({ name: ownCollection }).hasNext()),
        );
        return found
          .filter((_, at) => !isOwn[at])
          .map(({ name }) => ({ name, settings: { databases: name } }));
      });
    } catch {
      return [];
    }
  },
  async check(settings, context) {
    try {
      const databases = await withServer(settings, context, (client) => databasesOf(client, settings));
      const size = Math.ceil(databases.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000);
      const names = databases.map(({ name }) => name).join(', ');
      return [
        { status: 'ok', text: `${databases.length} databases with ${size} MB: ${names}.` },
        {
          status: 'warning',
          text: 'Collections are read one after another: if programs write meanwhile, their dump may not be of one moment.',
        },
      ];
    } catch (error) {
      return [{ status: 'failed', text: (error as Error).message }];
    }
  },
  async prepare(settings, context) {
    const databases = await withServer(settings, context, (client) => databasesOf(client, settings));
    return {
      dumps: databases.map(({ name }) => ({
        name: `${name}.archive`,
        open: async (signal) => dump(settings, { ...context, signal }, name),
      })),
    };
  },
  // A dump holds nothing once its connection is closed.
  release: async () => {},
  restore: (settings, stored, target, context) => restore(settings, { dump: stored, ...target }, context),
  prove: (_settings, stored, context) => prove(stored, context),
};

export default definePlugin({ kind: 'source', configuration: z.object({}), create: () => mongodb });
