import { lookup } from 'mime-types';

/** By the file name's ending. Without a charset: nothing is known of the content. */
export const contentTypeOf = (fileName: string): string => lookup(fileName) || 'application/octet-stream';
