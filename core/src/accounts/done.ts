/** The answer of an action that has nothing to show. */
export const done = (message: string) => ({ success: true as const, message });
