import { test } from 'vitest';
import { testConformance } from './conformance-of.js';

// `npm test` builds one and names it.
const binary = process.env.HOLDFAST_BORG_14;

if (binary === undefined) test.skip('BackupDriver conformance of the borg in HOLDFAST_BORG_14', () => {});
else testConformance(binary, undefined, ['repokey-blake2', 'keyfile', 'keyfile-blake2']);
