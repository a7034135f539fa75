import { Document, visit } from 'yaml';
import type { Value } from './tree.js';

/** A file with comments on top. Texts are quoted: what looks like a number or a date stays a text for every reader. */
export function yamlOf(config: Value, comments: readonly string[]): string {
  const document = new Document(config);
  document.commentBefore = comments.map((line) => ` ${line.replace(/\s+/g, ' ')}`).join('\n');
  visit(document, {
    Scalar(key, node) {
      if (key !== 'key' && typeof node.value === 'string' && node.value.includes('\n'))
        node.type = 'BLOCK_LITERAL';
    },
  });
  return document.toString({ lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' });
}
