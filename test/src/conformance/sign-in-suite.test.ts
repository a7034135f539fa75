import { signInSuite } from '@holdfast/testkit';
import { describe, expect, it } from 'vitest';
import { type Lapses, signInPlugin } from '../broken-plugins/signin-sound.js';

/** Names of the broken promises. */
async function brokenBy(lapses: Lapses, without: 'tokens'[] = []): Promise<string[]> {
  const suite = signInSuite({
    without,
    plugin: signInPlugin(lapses),
    configurationFor: ({ issuer, client }) => ({ issuer, ...client }),
  });
  const results = await Promise.allSettled(suite.map(({ run }) => run({ skip: () => undefined })));
  return suite.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
}

const state = 'refuses a callback without its state';
const other = 'refuses the callback of another sign-in';
const again = 'refuses a callback that was answered before';
const issuer = 'refuses an answer of another issuer';
const nonce = 'refuses a nonce that it did not send';
const own = 'begins each sign-in with values of its own, and no secret';
const subject = 'keeps the subject of a person, and gives it to no other';
const verified = 'leaves out an e-mail address that is not verified';
const cancels = 'refuses a sign-in that the person cancels';
const fresh = 'asks the person to authenticate again, or says that it cannot';
const groups = 'reads groups of any form';

// They wait for the same provider that does not answer.
describe.concurrent('the suite for sign-in', () => {
  it('passes a sound plugin', async () => {
    expect(await brokenBy({})).toEqual([]);
  });

  it.each<[string, Lapses, string[]]>([
    ['does not check the state', { state: true }, [state]],
    ['sends the same state and nonce each time', { constant: true }, [own, other, nonce]],
    ['accepts any nonce', { nonce: true }, [other, nonce]],
    ['accepts the token of another issuer', { issuer: true }, [issuer]],
    ['accepts the answer of another issuer', { mixedIssuer: true }, [issuer]],
    ['accepts a token for another client', { audience: true }, [issuer]],
    ['accepts a token that somebody else signed', { signature: true }, [issuer]],
    ['answers a replayed callback', { replays: true }, [again]],
    ['believes an e-mail address that is not verified', { verifiedEmail: true }, [verified]],
    ['takes a cancelled sign-in for a fault', { cancel: true }, [cancels]],
    ['accepts an old authentication', { fresh: true }, [fresh]],
    ['takes the e-mail address for the subject', { subjectOf: ({ email }) => String(email) }, [subject]],
    ['passes on groups as they come', { groupsOf: (claims) => claims.groups as string[] }, [groups]],
  ])('finds a plugin that %s', async (_what, lapses, broken) => {
    expect(await brokenBy(lapses)).toEqual(broken.toSorted((a, b) => order(a) - order(b)));
  });

  it('finds a plugin without ID tokens that takes a changeable name for the subject', async () => {
    const byName: Lapses = { subjectOf: ({ preferred_username }) => String(preferred_username) };
    expect(await brokenBy(byName, ['tokens'])).toEqual([subject]);
  });

  it('finds a plugin that blames the person when the provider fails', async () => {
    const broken = await brokenBy({ blames: true });
    expect(broken.filter((name) => name.startsWith('says that it cannot tell'))).toHaveLength(7);
  });

  it('finds a plugin that says its secret', async () => {
    expect((await brokenBy({ sentence: 'secret' })).length).toBeGreaterThan(5);
  });

  it('finds a plugin that waits without end', async () => {
    expect(await brokenBy({ waits: true })).toEqual([
      'says that it cannot tell with a provider that does not answer, and recovers',
      'ends when it is aborted',
    ]);
  });
});

const names = signInSuite({ plugin: signInPlugin(), configurationFor: () => ({}) }).map(({ name }) => name);
const order = (name: string) => names.indexOf(name);
