import type { ComponentType } from 'preact';
import { loadMore } from '../i18n/messages.js';

/** The values of a screen from its address. */
export type ScreenProps<Parameters extends string = never> = { params: Record<Parameters, string> };
// biome-ignore lint/suspicious/noExplicitAny: each screen names its own parameters.
type Screen = ComponentType<{ params: any }>;

/** `unlimited`: all but limited users. */
type Only = 'admins' | 'unlimited';

export interface Route {
  path: string;
  /** Its page below `docs/`. */
  help: string;
  /** The navigation item that it belongs to. */
  place: string;
  /** Other users can't use it. */
  only: Only | undefined;
  load(): Promise<Screen>;
  /** Its screen, once it was loaded. */
  loaded?: Screen;
}

/** The navigation item of these; of others, it is the first word of the address. */
const placeOf: Record<string, string> = {
  '': 'home',
  add: 'home',
  welcome: 'home',
  password: 'settings',
  components: 'settings',
  'settings/incidents': 'incidents',
};

type Row = readonly [path: string, load: () => Promise<{ default: Screen }>, only?: Only];

/** Rows of the table of all screens, `routes.ts`, that one page of the documentation explains. */
export const helpedBy = (help: string, rows: readonly Row[]): Route[] =>
  rows.map(([path, load, only]) => {
    const [, place = '', below] = path.split('/');
    const made: Route = {
      path,
      help,
      place: placeOf[`${place}/${below}`] ?? placeOf[place] ?? place,
      only,
      load: async () => {
        const [screen] = await Promise.all([load(), path !== '/' && loadMore()]);
        made.loaded = screen.default;
        return screen.default;
      },
    };
    return made;
  });

/** The first route that an address matches. */
export function routeOf(
  routes: readonly Route[],
  address: string,
): { route: Route; params: Record<string, string> } | null {
  const parts = address.split('/').filter(Boolean);
  for (const route of routes) {
    const params = match(route.path.split('/').filter(Boolean), parts);
    if (params) return { route, params };
  }
  return null;
}

function match(pattern: string[], parts: string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  const rest = pattern.at(-1) === '*';
  if (rest ? parts.length < pattern.length - 1 : parts.length !== pattern.length) return null;
  for (const [index, piece] of pattern.entries()) {
    if (piece === '*') params.rest = parts.slice(index).map(decode).join('/');
    // Ids are numbers; anything else is an unknown page.
    else if (/^:(id|job|drill)$/.test(piece) && !/^\d+$/.test(parts[index] ?? '')) return null;
    else if (piece.startsWith(':')) params[piece.slice(1)] = decode(parts[index] ?? '');
    else if (piece !== parts[index]) return null;
  }
  return params;
}

/** A typed address may be malformed. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Loads the screen of an address, before it is opened. */
export const prepare = (routes: readonly Route[], address: string): void => {
  void routeOf(routes, address.split('?')[0] ?? address)
    ?.route.load()
    .catch(() => undefined);
};
