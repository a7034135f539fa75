import { testRecovery } from '../recovery-of.js';

testRecovery('SQLite');
