import { HoldfastError } from '../api/client.js';

/** What is wrong with this field of the body, if the server said so: `source_directories` also has `source_directories.0`. */
export const errorAt = (error: unknown, field: string): string | undefined =>
  error instanceof HoldfastError
    ? error.errors.find(({ path }) => path.split('.').includes(field))?.message
    : undefined;
