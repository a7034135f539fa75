import { useEffect, useRef, useState } from 'preact/hooks';

/** Of an element, in pixels; 0 before it is laid out. */
export function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const resized = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    if (place.current) {
      // Until the next frame, a drawing is still as wide as its place was; the page must not scroll by that.
      Object.assign(place.current.style, { overflow: 'clip', overflowClipMargin: '4px' });
      resized.observe(place.current);
    }
    return () => resized.disconnect();
  }, []);
  return [place, width] as const;
}
