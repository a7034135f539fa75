import { testRecovery } from '../recovery-of.js';

testRecovery('PostgreSQL');
