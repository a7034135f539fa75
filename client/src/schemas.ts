import type { components, operations, paths } from './schema.js';

/** Bodies and answers by their names in the OpenAPI document, such as `Schemas['RepositoryView']`. */
export type Schemas = components['schemas'];
/** Operations by their ids in the OpenAPI document, such as `Operations['repositoriesList']`. */
export type Operations = operations;
/** Operations by path and method, for openapi-fetch and libraries that build on it. */
export type Paths = paths;
