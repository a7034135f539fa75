/** A colour of the page as it is now: themes change. */
export const colour = (token: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(token);

const patterns = new Map<string, CanvasPattern | null>();

/** Diagonal lines, distinguishable from a plain fill without colours. */
export function hatch(token: string): CanvasPattern | string {
  const ink = colour(token);
  const found = patterns.get(ink);
  if (found) return found;
  const tile = document.createElement('canvas');
  const size = 6 * devicePixelRatio;
  tile.width = size;
  tile.height = size;
  const pen = tile.getContext('2d');
  if (!pen) return ink;
  pen.strokeStyle = ink;
  pen.lineWidth = devicePixelRatio;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  const pattern = pen.createPattern(tile, 'repeat');
  patterns.set(ink, pattern);
  return pattern ?? ink;
}
