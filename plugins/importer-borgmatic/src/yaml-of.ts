import { Document, visit } from 'yaml';
import type { Value } from './tree.js';

/**
 * A file with comments at the top. Quotes texts, so that every reader treats those that look like numbers or
 * dates as texts.
 */
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
