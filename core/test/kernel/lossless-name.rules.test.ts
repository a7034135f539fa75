import { describe, expect, test } from 'vitest';
import { escapeName, hasUndecodable } from '../../src/foundation/kernel/lossless-name.rules.js';

describe('names with bytes that are not UTF-8', () => {
  test.each([
    ['plain', 'plain'],
    ['grüße 🎉 日本', 'grüße 🎉 日本'],
    ['bad\udcff\udc80name', 'bad\\udcff\\udc80name'],
    ['🎉\udcfe', '🎉\\udcfe'],
    ['\udcf0\udc9f\udc98 cut short', '\\udcf0\\udc9f\\udc98 cut short'],
    ['line\nbreak', 'line\nbreak'],
  ])('encodes %j as %j and back', (name, wire) => {
    expect(escapeName(name)).toBe(wire);
    expect(hasUndecodable(name)).toBe(name !== wire);
  });

  test('escapes to well-formed Unicode', () => {
    expect(Buffer.from(escapeName('a\udcff')).toString()).toBe('a\\udcff');
  });
});
