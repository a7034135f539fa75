/** Users, passwords, sessions, API tokens and download tickets. */

export { generatePassword, passwordProblem } from './accounts.rules.js';
export { challengeLifeMs } from './challenges.js';
export { endBrowserSessions, endSessionsUpTo } from './end-sessions.js';
export type { SignInRules } from './provider.rules.js';
export type { SignIn } from './provider-calls.js';
export type { SecondFactorPolicy } from './second-factor.rules.js';
export * from './tables.js';
export { type AuthUseCases, authUseCases } from './use-cases.js';
export { getUser } from './users.js';
