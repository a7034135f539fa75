import { allEntities } from '@holdfast/core/plugin';

/** The product's entities that the tests write to. */
export const [settings, users, , , , jobs] = allEntities;
