/** Registered repositories and source sets: the rows that jobs belong to. Module `repositories` writes them. */

export * from './tables.js';
