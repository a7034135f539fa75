import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Skeleton } from '../../ui/query-view.js';

interface InViewProps {
  /** Reserved, so that nothing below moves away under the focus or the pointer. */
  height?: string;
  children: ComponentChildren;
}

/** Drawn, with what it reads and loads, when it comes near. */
export function InView({ height, children }: InViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '200px',
    });
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  if (isNear && !height) return <>{children}</>;
  return (
    <div ref={place} style={height && { minBlockSize: height }}>
      {isNear ? children : <Skeleton lines={4} isLoading={false} />}
    </div>
  );
}
