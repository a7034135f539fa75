/** The rows that jobs belong to: registered repositories, and source sets. The room `repositories` writes them. */

export * from './tables.js';
