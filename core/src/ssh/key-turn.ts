import { conflict } from '../kernel/errors.js';

/** Lets one set-up of the system key run at a time; a second one is refused with AppError `conflict`. */
export type KeyTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function makeKeyTurn(): KeyTurn {
  let busy = false;
  return async (work) => {
    if (busy) throw conflict('A system key is being set up at this moment: wait for the end of that.');
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  };
}
