import { testConformance } from './conformance-of.js';

testConformance('borg', ['starting', 'running', 'locking']);
