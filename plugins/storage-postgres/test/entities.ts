import { allEntities } from '@holdfast/core/server';

/** The product's entities that the tests write to. */
export const [settings, users, , , , jobs] = allEntities;
