/** Users, passwords, sessions, API tokens and download tickets. */

export { generatePassword, passwordProblem } from './accounts.rules.js';
export { endBrowserSessions, endSessionsUpTo } from './end-sessions.js';
export * from './tables.js';
export { type AuthUseCases, authUseCases } from './use-cases.js';
export { getUser } from './users.js';
