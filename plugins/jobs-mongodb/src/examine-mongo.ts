import type { Examination, Finding } from '@holdfast/plugin-api';
import { openClient } from './mongo-client.js';
import { oldServer } from './old-server.rules.js';
import { collection } from './timer-backend.js';

const advice = 'Check the address, user and password in MONGODB_URI. Timers wait until the server responds.';

/** Connects and reads one row, on its own connection. */
export async function examineMongo(uri: string): Promise<Examination> {
  const { client, database } = openClient(uri);
  try {
    await client.connect();
    const { localTime } = await database.command({ hello: 1 });
    const { version } = await database.command({ buildInfo: 1 });
    await database.collection(collection).findOne({}, { projection: { _id: 1 } });
    const finding: Finding = {
      status: 'ok',
      text: `MongoDB ${version} is reachable, and the user may read.`,
    };
    return { findings: [finding], serverTime: (localTime as Date).getTime() };
  } catch (error) {
    // The driver's message may contain the address, and with it a user.
    const { name, codeName } = error as { name: string; codeName?: string };
    const text = oldServer(error) ?? `MongoDB can't be used (${codeName ?? name}).`;
    return { findings: [{ status: 'failed', text, advice }] };
  } finally {
    await client.close();
  }
}
