import { useRef, useState } from 'preact/hooks';

/** Something a button does: not twice at the same time, and with the error it ended with. */
export function useAction<Given extends unknown[]>(act: (...given: Given) => Promise<unknown>) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const running = useRef(false);
  /** @returns whether it succeeded */
  const run = async (...given: Given): Promise<boolean> => {
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
