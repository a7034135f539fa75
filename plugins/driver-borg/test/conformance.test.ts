import { describe, test } from 'vitest';
import { conformanceOf } from './conformance-of.js';

describe('BackupDriver conformance of the borg on PATH', () => {
  for (const { name, run } of conformanceOf('borg')) test(name, run);
});
