import { testConformance } from './conformance-of.js';

testConformance('borg', ['repositories']);
