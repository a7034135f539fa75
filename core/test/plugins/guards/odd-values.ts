const ring: Record<string, unknown> = {};
ring.self = ring;

class Unreadable extends Error {
  override get message(): string {
    throw new Error('on purpose');
  }
}

/** What a plugin may throw or reject with, by name. */
export const oddValues: [string, unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['a text', 'something went wrong'],
  ['a number', 7],
  ['an object that holds itself', ring],
  ['an object without a prototype', Object.create(null)],
  [
    'an object that can not be read',
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    ),
  ],
  ['an error without a text', new Error()],
  ['an error that can not be read', new Unreadable()],
];

/** Never settles. */
export const never = (): Promise<never> => new Promise(() => {});
