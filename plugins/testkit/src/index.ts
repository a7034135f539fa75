/** Conformance suites: the requirements of each port, as data that any test runner can run. */

export { type BackupDriverHarness, backupDriverCases, backupDriverSuite } from './backup-driver.suite.js';
export { type CacheSuiteOptions, cacheSuite } from './cache.suite.js';
export { type CaseContext, type ConformanceCase, LeftOut } from './case.js';
export { type ImporterSuiteOptions, importerSuite } from './importer.suite.js';
export { type ServiceForm, serviceUrl } from './notifier/service-form.js';
export { replyWith, Sink, type SinkAnswer, type SinkRequest } from './notifier/sink.js';
export { type NotifierSuiteOptions, notifierSuite } from './notifier.suite.js';
export { ProviderSink } from './sign-in/provider-sink.js';
export { type Mischief, type Person, type SignInSuiteOptions, signInSuite } from './sign-in.suite.js';
export { type SourceSuiteOptions, sourceSuite } from './source.suite.js';
export { type OpenStates, type StatesSuiteOptions, statesSuite } from './states.suite.js';
export { type OpenStorage, type StorageSuiteOptions, storageSuite } from './storage.suite.js';
export { type TimerServiceSuiteOptions, timerServiceSuite } from './timer-service.suite.js';
