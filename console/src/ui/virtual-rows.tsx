import {
  observeWindowOffset,
  observeWindowRect,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

export interface VirtualRows {
  /** The rows to draw, between two gaps. */
  rows: VirtualItem[];
  before: number;
  after: number;
  /** For each drawn row: rows may have different heights. */
  measure: (element: HTMLElement | null) => void;
  show: (index: number) => void;
}

/** The rows of a long list that are near what is seen of it, while the page scrolls. Rows carry `data-index`. */
export function useVirtualRows(list: RefObject<HTMLElement>, count: number, estimate: number): VirtualRows {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const margin = useRef(0);
  const kept = useRef<Virtualizer<Window, HTMLElement>>();
  const options: VirtualizerOptions<Window, HTMLElement> = {
    count,
    estimateSize: () => estimate,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    // Avoids a layout: the observer reports the height of a new row later.
    measureElement: (row, entry, { measurementsCache }) =>
      Math.round(
        entry?.borderBoxSize[0]?.blockSize ?? measurementsCache[Number(row.dataset.index)]?.size ?? estimate,
      ),
    onChange: () => draw(0),
    // A list of few rows is drawn whole, also for printing and for finding in the page.
    overscan: count <= 100 ? count : 6,
    scrollMargin: margin.current,
    // Space for fixed bars above and below: the bar of the frame, the bar of the selection.
    scrollPaddingStart: 80,
    scrollPaddingEnd: 160,
  };
  const virtual = kept.current ?? new Virtualizer(options);
  kept.current = virtual;
  virtual.setOptions(options);
  useLayoutEffect(() => virtual._didMount(), [virtual]);
  useLayoutEffect(() => virtual._willUpdate());
  // Only what changes the page moves the list; a layout at each scroll would cost frames.
  useLayoutEffect(() => {
    const measure = () => {
      const top = list.current ? Math.round(list.current.getBoundingClientRect().top + scrollY) : 0;
      if (top === margin.current) return;
      margin.current = top;
      draw(0);
    };
    // The page may scroll to a row before the observer says anything.
    measure();
    const seen = new ResizeObserver(measure);
    seen.observe(document.body);
    return () => seen.disconnect();
  }, []);
  const rows = virtual.getVirtualItems();
  return {
    rows,
    before: rows.length > 0 ? (rows[0]?.start ?? 0) - margin.current : 0,
    after: Math.max(0, virtual.getTotalSize() - ((rows.at(-1)?.end ?? margin.current) - margin.current)),
    measure: virtual.measureElement,
    show: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  };
}

/** Fills the space of rows that are not drawn. */
export const Gap = ({ size }: { size: number }) => (
  <div
    role="presentation"
    ref={(element) => {
      if (element) element.style.blockSize = `${size}px`;
    }}
  />
);
