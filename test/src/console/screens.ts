/** Every screen of the console, for a service that `screen-world.ts` has filled. */
export const screens = ['/', '/activity', '/activity/1', '/password', '/components'] as const;
