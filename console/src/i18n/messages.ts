import type { Messages } from '../messages/areas.js';
import { isPseudo, locale } from './locale.js';
import { lengthen } from './pseudo.js';

/** The messages in the language of the page: `t.frame.place.home`. They are loaded before a screen is drawn. */
export const t = {} as Messages;

const first = import.meta.glob<object>('../messages/*/{common,frame,home}.ts', { import: 'default' });
const more = import.meta.glob<Record<string, object>>('../messages/more-*.ts', { import: 'default' });

function keep(path: string, messages: object): void {
  const area = path.replace(/.*\/|\.ts$/g, '') as keyof Messages;
  t[area] ??= (isPseudo() ? lengthen(messages) : messages) as never;
}

/** Loads the messages of the frame and of Home. */
export async function loadFirst(): Promise<void> {
  const own = Object.entries(first).filter(([path]) => path.includes(`/${locale()}/`));
  await Promise.all(own.map(async ([path, load]) => keep(path, await load())));
}

/** Loads those of all other screens, in one file. */
export async function loadMore(): Promise<void> {
  const areas = (await more[`../messages/more-${locale()}.ts`]?.()) ?? {};
  for (const [path, messages] of Object.entries(areas)) keep(path, messages);
}
