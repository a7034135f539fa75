import { describe, test } from 'vitest';
import { conformanceOf } from './conformance-of.js';

// `npm test` builds one and names it.
const binary = process.env.HOLDFAST_BORG_14;

describe.skipIf(binary === undefined)('BackupDriver conformance of the borg in HOLDFAST_BORG_14', () => {
  for (const { name, run } of conformanceOf(binary ?? 'borg')) test(name, run);
});
