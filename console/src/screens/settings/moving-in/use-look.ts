import { useRef, useState } from 'preact/hooks';

/** The result of a preview until its input changes. A response that arrives later is dropped. */
export function useLook<T extends { dry_run: boolean }>() {
  const [told, setTold] = useState<T | null>(null);
  const changes = useRef(0);
  const change = () => {
    changes.current += 1;
    setTold(null);
  };
  const ask = async (work: () => Promise<T>): Promise<T> => {
    const before = changes.current;
    const answer = await work();
    if (changes.current === before || !answer.dry_run) setTold(answer);
    return answer;
  };
  return { told, change, ask };
}
