import { makeStore } from '../store.js';

/** How the dialog answers; null: nothing waits for a password. */
export const confirmationAsked = makeStore<((isConfirmed: boolean) => void) | null>(null);
let asking: Promise<boolean> | undefined;

/** Asks for the password, once for all calls that wait for it. @returns whether it was confirmed. */
export function confirmPassword(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => confirmationAsked.set(resolve)).finally(() => {
    asking = undefined;
    confirmationAsked.set(null);
  });
  return asking;
}
