import { useRef, useState } from 'preact/hooks';

export interface Action<Given extends unknown[]> {
  /** @returns whether it succeeded */
  run: (...given: Given) => Promise<boolean>;
  isBusy: boolean;
  error: unknown;
  setError: (error: unknown) => void;
}

type Work = () => Promise<unknown>;

/**
 * Something a button does: not twice at the same time, and with the error it ended with. Without `act`, the work is given
 * when it begins.
 */
export function useAction(): Action<[work: Work]>;
export function useAction<Given extends unknown[]>(act: (...given: Given) => Promise<unknown>): Action<Given>;
export function useAction(
  act: (...given: never[]) => Promise<unknown> = (work: Work) => work(),
): Action<never[]> {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const running = useRef(false);
  const run = async (...given: never[]): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setError(null);
    try {
      await act(...given);
      return true;
    } catch (reason) {
      setError(reason);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, isBusy, error, setError };
}
