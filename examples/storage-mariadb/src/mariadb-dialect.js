import { DataTypes } from '@holdfast/storage-sequelize';
import { makePool, openConnections } from './connections.js';
import { errorKind } from './errors.js';
import { whileAlone } from './while-alone.js';

/** Compares by code point; trailing blanks count. */
const text = 'LONGTEXT COLLATE utf8mb4_nopad_bin';

/** @returns {import('@holdfast/storage-sequelize').SqlDialect} */
export function mariadbDialect(url) {
  const { hostname, port, pathname } = new URL(url);
  const target = `${hostname}${port && `:${port}`}${pathname}`;
  return {
    target,
    columnTypes: {
      id: DataTypes.BIGINT,
      integer: DataTypes.BIGINT,
      number: DataTypes.DOUBLE,
      text,
      boolean: DataTypes.BOOLEAN,
      timestamp: DataTypes.BIGINT,
      json: text,
    },
    open: async () => openConnections(makePool(url)),
    errorKind,
    sortsNullsFirst: true,
    // A unique index hashes long texts itself; other indexes take 3,072 bytes in total.
    indexedText: 191,
    commitsSchemaChanges: true,
    whileAlone: (connections, work) => whileAlone(connections, { target, work }),
  };
}
