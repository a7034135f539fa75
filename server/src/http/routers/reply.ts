/** Responses of handlers that ts-rest sends. */
export const ok = <T>(body: T) => ({ status: 200 as const, body });
export const created = <T>(body: T) => ({ status: 201 as const, body });
export const noContent = () => ({ status: 204 as const, body: undefined });
