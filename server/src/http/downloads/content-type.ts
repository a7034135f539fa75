import { lookup } from 'mime-types';

/** Derived from the file extension, without a charset: the encoding is unknown. */
export const contentTypeOf = (fileName: string): string => lookup(fileName) || 'application/octet-stream';
