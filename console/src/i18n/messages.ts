import type { Messages } from '../messages/areas.js';
import { isPseudo, locale } from './locale.js';
import { lengthen } from './pseudo.js';

export type Area = keyof Messages;

/**
 * All messages of the loaded areas in the language of the page: `t.home.title`. A screen names its areas in
 * `routes.ts`, so they are loaded before it is drawn.
 */
export const t = {} as Messages;

const files = import.meta.glob<{ default: never }>('../messages/*/*.ts');

export async function loadMessages(...areas: Area[]): Promise<void> {
  await Promise.all(
    areas.map(async (area) => {
      if (area in t) return;
      const file = files[`../messages/${locale()}/${area}.ts`];
      if (!file) throw new Error(`There are no messages for ${area}.`);
      const messages = (await file()).default;
      t[area] = isPseudo() ? lengthen(messages) : messages;
    }),
  );
}
