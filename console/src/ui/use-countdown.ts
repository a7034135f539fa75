import { useEffect, useState } from 'preact/hooks';

/** Whole seconds that are left, and how to begin; at the end something happens once. */
export function useCountdown(onEnd?: () => void): [number, (seconds: number) => void] {
  const [until, setUntil] = useState(0);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (until === 0) return;
    const update = () => {
      const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      setLeft(seconds);
      if (seconds > 0) return;
      setUntil(0);
      onEnd?.();
    };
    update();
    const timer = setInterval(update, 500);
    return () => clearInterval(timer);
  }, [until]);
  return [left, (seconds) => setUntil(seconds > 0 ? Date.now() + seconds * 1000 : 0)];
}
