export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

/** How far the boxes of a row along a side are from squares; 1: they are squares. */
function stretch(areas: readonly number[], side: number): number {
  const sum = sumOf(areas);
  return Math.max((side ** 2 * Math.max(...areas)) / sum ** 2, sum ** 2 / (side ** 2 * Math.min(...areas)));
}

/** Boxes with the areas of positive sizes, nearly square, in their order: best from the largest to the smallest. */
export function squarified(sizes: readonly number[], width: number, height: number): Box[] {
  const scale = (width * height) / sumOf(sizes);
  const areas = sizes.map((size) => size * scale);
  const boxes: Box[] = [];
  let rest: Box = { x: 0, y: 0, width, height };
  while (boxes.length < areas.length) {
    const from = boxes.length;
    const side = Math.min(rest.width, rest.height);
    let to = from + 1;
    while (
      to < areas.length &&
      stretch(areas.slice(from, to + 1), side) <= stretch(areas.slice(from, to), side)
    )
      to += 1;
    const row = areas.slice(from, to);
    // Next to a much larger size, nothing remains of the room.
    const depth = side > 0 ? sumOf(row) / side : 0;
    const isColumn = rest.width >= rest.height;
    let at = 0;
    for (const area of row) {
      const length = depth > 0 ? area / depth : 0;
      boxes.push(
        isColumn
          ? { x: rest.x, y: rest.y + at, width: depth, height: length }
          : { x: rest.x + at, y: rest.y, width: length, height: depth },
      );
      at += length;
    }
    rest = isColumn
      ? { ...rest, x: rest.x + depth, width: Math.max(0, rest.width - depth) }
      : { ...rest, y: rest.y + depth, height: Math.max(0, rest.height - depth) };
  }
  return boxes;
}

interface Room {
  width: number;
  height: number;
  smallest: Pick<Box, 'width' | 'height'>;
}

const most = 24;

/**
 * The largest entries with their boxes, as many as are at least `smallest` wide and high; then a box for all others.
 * @param entries - The largest first.
 */
export function treemapOf<T extends { size: number }>(
  entries: readonly T[],
  { width, height, smallest }: Room,
) {
  const sized = entries.filter(({ size }) => size > 0);
  for (let count = Math.min(sized.length, most); sized.length > 0; count -= 1) {
    const shown = sized.slice(0, count);
    const others = sumOf(sized.slice(count).map(({ size }) => size));
    const boxes = squarified(
      [...shown.map(({ size }) => size), ...(others > 0 ? [others] : [])],
      width,
      height,
    );
    const box = boxes[count];
    if (shown.every((_, at) => isLarge(boxes[at], smallest)))
      return {
        cells: shown.map((entry, at) => ({ entry, box: boxes[at] as Box })),
        rest: box ? { box, count: sized.length - count, size: others } : null,
      };
  }
  return { cells: [], rest: null };
}

const isLarge = (box: Box | undefined, { width, height }: Room['smallest']): boolean =>
  box !== undefined && box.width >= width && box.height >= height;
