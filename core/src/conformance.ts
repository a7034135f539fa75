/** The door for tests of plugins: each port's promises as data. */

export { type AlarmClockSuiteOptions, alarmClockSuite } from './conformance/alarm-clock.suite.js';
export { type BackupDriverHarness, backupDriverSuite } from './conformance/backup-driver.suite.js';
export { type CacheSuiteOptions, cacheSuite } from './conformance/cache.suite.js';
export { type CaseContext, type ConformanceCase, LeftOut } from './conformance/case.js';
export { replyWith, Sink, type SinkAnswer, type SinkRequest } from './conformance/notifier/sink.js';
export { type NotifierSuiteOptions, notifierSuite } from './conformance/notifier.suite.js';
export { type OpenStorage, type StorageSuiteOptions, storageSuite } from './conformance/storage.suite.js';
