import type { Examination, Finding } from '@holdfast/plugin-api';
import { openClient } from './mongo-client.js';
import { collection } from './timer-backend.js';

const advice =
  'Compare MONGODB_URI with the server: its address, user and password. Timers wait until it answers.';

/** Connects and reads one row, on a connection of its own. */
export async function examineMongo(uri: string): Promise<Examination> {
  const { client, database } = openClient(uri);
  try {
    await client.connect();
    const { localTime } = await database.command({ hello: 1 });
    const { version } = await database.command({ buildInfo: 1 });
    await database.collection(collection).findOne({}, { projection: { _id: 1 } });
    const finding: Finding = { status: 'ok', text: `MongoDB ${version} answers, and the user may read.` };
    return { findings: [finding], serverTime: (localTime as Date).getTime() };
  } catch (error) {
    // The driver's words may name the address, and with it a user.
    const { name, codeName } = error as { name: string; codeName?: string };
    return { findings: [{ status: 'failed', text: `MongoDB can't be used (${codeName ?? name}).`, advice }] };
  } finally {
    await client.close();
  }
}
