import { type PluginFolder, pluginCode } from './packages.js';

/** Text of a module: what the file `mood` in the data folder of the plugin says at this moment. */
const mood = `
import { existsSync, readFileSync } from 'node:fs';
const moodIn = (folder) => existsSync(folder + '/mood') ? readFileSync(folder + '/mood', 'utf8').trim() : '';
const loop = { name: 'loop' };
loop.self = loop;
`;

/** Around a sound plugin: each method does as the mood wants, else what the sound one does. */
const around = (inner: string, schema: string, moods: string) => `
import inner from '${inner}';
import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
${mood}
export default definePlugin({
  kind: inner.kind,
  configuration: ${schema},
  async create(context) {
    const sound = await inner.create({ ...context, configuration: inner.configuration.parse(context.configuration) });
    const moods = ${moods};
    return new Proxy(sound, {
      get(target, name) {
        const member = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...words) => {
          const act = moods[moodIn(context.dataFolder)]?.[name];
          return act ? act(...words) : member.apply(target, words);
        };
      },
    });
  },
});
`;

const transport = pluginCode({
  schema: 'z.object({ token: z.string(), limits: z.array(z.number()), quiet: z.boolean().default(false) })',
  port: `{
    schemes: ['moody'],
    check: (url) => {
      if (url.includes('unreadable')) throw loop;
      return undefined;
    },
    send(url) {
      const left = Object.keys(process.env).filter((name) => name.startsWith('PLUGIN_'));
      log.info('the moody transport sends', { ...configuration, left });
      if (url.includes('throws')) throw new Error('thrown in the turn of the caller');
      if (url.includes('nothing')) return Promise.reject();
      if (url.includes('loop')) return Promise.reject(loop);
      if (url.includes('later')) setTimeout(() => { throw new Error('thrown in a timer'); }, 0);
      return Promise.resolve();
    },
    health: async () => loop,
  }`,
});

/** One plugin of each kind that works until the file `mood` of its data folder says otherwise. Resolves to the folders. */
export function addMoodyPlugins(plugins: PluginFolder): string[] {
  const add = (kind: string, code: string, schemes?: string[]) =>
    plugins.add(`${kind}-moody`, { holdfast: { kind, id: 'moody', schemes }, code });
  return [
    add('notify', mood + transport, ['moody']),
    add(
      'storage',
      around(
        '@holdfast/storage-sqlite',
        'z.object({ file: z.string() })',
        `{
          odd: {
            find: () => Promise.reject(),
            changeToken: () => Promise.reject(),
            transaction: () => { throw loop; },
          },
        }`,
      ),
    ),
    add(
      'jobs',
      around(
        '@holdfast/jobs-embedded',
        'z.object({})',
        '{ odd: { set: () => { throw loop; }, drain: () => new Promise(() => {}) } }',
      ),
    ),
    add(
      'cache',
      around(
        '@holdfast/cache-memory',
        'z.object({ maxSizeMb: z.number() })',
        '{ odd: { get: () => { throw loop; }, set: () => Promise.reject(), delete: () => Promise.reject() } }',
      ),
    ),
    add(
      'driver',
      around(
        '@holdfast/driver-borg',
        'z.object({}).passthrough()',
        `{ odd: {
          createArchive: (target, input, options) => {
            return new Promise((_, reject) => setTimeout(() => reject(loop), 50));
          },
          listEntries: () => { throw loop; },
          checkCustomFlags: () => { throw loop; },
          lockHolder: () => Promise.reject(),
        } }`,
      ),
    ),
  ];
}
