import { describe, expect, it } from 'vitest';
import { type Box, squarified, treemapOf } from '../src/ui/treemap.rules.js';

const area = ({ width, height }: Box) => width * height;
const ratio = ({ width, height }: Box) => Math.max(width / height, height / width);
const overlap = (a: Box, b: Box) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

describe('boxes of a treemap', () => {
  const sizes = [6, 6, 4, 3, 2, 2, 1];
  const boxes = squarified(sizes, 600, 400);

  it('have the areas of their sizes and fill the picture', () => {
    expect(boxes.map((box) => Math.round(area(box)))).toEqual(sizes.map((size) => size * 10_000));
    for (const { x, y, width, height } of boxes) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(600.001);
      expect(y + height).toBeLessThanOrEqual(400.001);
    }
  });

  it('never overlap', () => {
    for (const [at, box] of boxes.entries())
      for (const other of boxes.slice(at + 1)) expect(overlap(box, other)).toBeLessThan(0.001);
  });

  it('are nearly square', () => expect(Math.max(...boxes.map(ratio))).toBeLessThan(3));

  it('stay numbers next to a size that leaves no room', () => {
    for (const box of squarified([2 ** 52, 1, 1, 1], 333, 77).flatMap((each) => Object.values(each)))
      expect(box).toBeGreaterThanOrEqual(0);
  });

  it('fill a picture of any shape with one size, or with none', () => {
    expect(squarified([7], 10, 300)).toEqual([{ x: 0, y: 0, width: 10, height: 300 }]);
    expect(squarified([], 10, 300)).toEqual([]);
  });
});

describe('the entries of a treemap', () => {
  const room = { width: 320, height: 200, smallest: { width: 60, height: 44 } };
  const entries = (...all: number[]) => all.map((size) => ({ size }));

  it('are those with room for a finger; others share a box', () => {
    const { cells, rest } = treemapOf(entries(900, 500, 300, 2, 1), room);
    expect(cells.map(({ entry }) => entry.size)).toEqual([900, 500, 300]);
    for (const { box } of cells) {
      expect(box.width).toBeGreaterThanOrEqual(60);
      expect(box.height).toBeGreaterThanOrEqual(44);
    }
    expect(rest).toMatchObject({ count: 2, size: 3 });
  });

  it('leave out empty entries', () =>
    expect(treemapOf(entries(4, 3, 0), room)).toMatchObject({ cells: { length: 2 }, rest: null }));

  it('share one box when none is large enough', () => {
    const { cells, rest } = treemapOf(entries(...Array<number>(5000).fill(1)), room);
    expect(cells).toEqual([]);
    expect(rest).toMatchObject({ count: 5000, size: 5000, box: { width: 320, height: 200 } });
  });

  it('are none in an empty folder', () =>
    expect(treemapOf(entries(0, 0), room)).toEqual({ cells: [], rest: null }));

  it('stay quick with a thousand entries', () => {
    const sizes = Array.from({ length: 1000 }, (_, at) => 2 ** (30 - at / 4));
    const started = performance.now();
    expect(treemapOf(entries(...sizes), { ...room, width: 1100 }).cells.length).toBeGreaterThan(5);
    expect(performance.now() - started).toBeLessThan(200);
  });
});
