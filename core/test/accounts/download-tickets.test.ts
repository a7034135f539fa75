import { describe, expect, it } from 'vitest';
import { ticketsAtATime } from '../../src/foundation/accounts/download-ticket.rules.js';
import { downloadTickets } from '../../src/foundation/accounts/tables.js';
import { appError, makeService } from './service.js';

const one = 'the log of job 1';

async function makeSignedIn() {
  const service = await makeService();
  const { caller, token } = await service.admin();
  const ask = async (object = one) => (await service.auth.issueTicket(caller, { object })).ticket;
  const rows = () => service.storage.find(downloadTickets);
  return { ...service, caller, token, ask, rows };
}

describe('download tickets', () => {
  it('let their user in once, to read only', async () => {
    const { auth, ask, caller, rows } = await makeSignedIn();
    const ticket = await ask();
    expect(JSON.stringify(await rows())).not.toContain(ticket.slice(4));
    expect(await auth.redeemTicket(ticket, one)).toMatchObject({
      caller: { userId: caller.userId, readOnly: true },
      filePaths: null,
    });
    expect(await auth.redeemTicket(ticket, one)).toBeNull();
    expect(await rows()).toEqual([]);
  });

  it('let one of many requests at the same time in', async () => {
    const { auth, ask } = await makeSignedIn();
    const ticket = await ask();
    const answers = await Promise.all(Array.from({ length: 20 }, () => auth.redeemTicket(ticket, one)));
    expect(answers.filter((caller) => caller !== null)).toHaveLength(1);
  });

  it('open only their object and stay valid after a wrong one', async () => {
    const { auth, ask } = await makeSignedIn();
    const ticket = await ask();
    expect(await auth.redeemTicket(ticket, 'the log of job 2')).toBeNull();
    expect(await auth.redeemTicket(ticket, one)).not.toBeNull();
    expect(await auth.redeemTicket('hft_', one)).toBeNull();
  });

  it('end after a minute, and are removed then', async () => {
    const { auth, ask, clock, rows } = await makeSignedIn();
    const ticket = await ask();
    clock.advance(60_000);
    expect(await auth.redeemTicket(ticket, one)).toBeNull();
    await ask();
    expect(await rows()).toHaveLength(1);
  });

  it('end with the access token that asked for them, and with its user', async () => {
    const { auth, ask, caller, addUser, signIn, admin } = await makeSignedIn();
    const mira = await addUser('mira');
    const hers = await signIn('mira', 'password of mira');
    const ofMira = (await auth.issueTicket(hers.caller, { object: one })).ticket;
    await auth.updateUser((await admin()).caller, { id: mira.id, is_active: false });
    expect(await auth.redeemTicket(ofMira, one)).toBeNull();
    const ticket = await ask();
    await auth.logOut(caller);
    expect(await auth.redeemTicket(ticket, one)).toBeNull();
  });

  it('do not pile up', async () => {
    const { ask, clock } = await makeSignedIn();
    for (let count = 0; count < ticketsAtATime; count++) await ask();
    await expect(ask()).rejects.toMatchObject(appError('too_many', /unused/));
    clock.advance(60_000);
    await ask();
  });
});
