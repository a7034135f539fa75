import { statfs } from 'node:fs/promises';
import { humanSize, type Message, say } from '../../foundation/kernel/index.js';

interface Space {
  free: number;
  total: number;
}

const mostReserved = 256 * 2 ** 20;

/** What has to stay free in the data folder: running jobs and the database need it. */
const reservedIn = ({ total }: Pick<Space, 'total'>): number => Math.min(mostReserved, total / 20);

/** What a job waits for while less than the reserve is free in the data folder, or null. */
export function lackOfRoom(space: Space): Message | null {
  if (space.free >= reservedIn(space)) return null;
  const [free, reserve] = [humanSize(space.free), humanSize(reservedIn(space))];
  return say`waiting_for_room: free space in the data folder of Holdfast: ${{ free }} are free, and no job starts below ${{ reserve }}`;
}

/** Asks the disk of a folder each time, so that nothing starts on what was true before. */
export const roomIn = (folder: string) => async (): Promise<Message | null> => {
  const space = await statfs(folder).catch(() => null);
  if (!space) return null;
  const { bavail, bfree, blocks, bsize } = space;
  return lackOfRoom({ free: bavail * bsize, total: (blocks - bfree + bavail) * bsize });
};
