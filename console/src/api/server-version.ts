import { makeStore } from '../store.js';

/** Answers carry the version of the server: another one than at first means that this page is from before an update. */
export const serverVersion = makeStore<{ first: string | null; isUpdated: boolean }>({
  first: null,
  isUpdated: false,
});

export function noteVersion(version: string | null): void {
  const { first, isUpdated } = serverVersion.get();
  if (!version || isUpdated || version === first) return;
  serverVersion.set(first === null ? { first: version, isUpdated } : { first, isUpdated: true });
}
