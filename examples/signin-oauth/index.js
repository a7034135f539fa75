import { createHash, randomBytes } from 'node:crypto';
import { definePlugin, limitedFetch, limitedSignal, SignInRefused } from '@holdfast/plugin-api';
import { z } from 'zod';

const random = () => randomBytes(32).toString('base64url');
const again = (what) => new SignInRefused(`${what}: start again.`);

/** A service with OAuth 2.0 that tells who has an access token, such as a Git forge. */
export default definePlugin({
  kind: 'sign-in',
  // Set by PLUGIN_SIGN_IN_OAUTH_URL and so on.
  configuration: z.object({ url: z.string().url(), id: z.string(), secret: z.string() }),
  create({ configuration: { url, id, secret }, fetch }) {
    const ask = async (path, outer, request) => {
      try {
        const signal = limitedSignal(3_000, outer);
        return await (await limitedFetch(fetch)(url + path, { ...request, signal })).json();
      } catch (cause) {
        throw new Error('The service cannot be asked: try again later.', { cause });
      }
    };
    return {
      label: new URL(url).hostname,
      issuer: url,
      async begin({ callback, fresh }) {
        if (fresh) throw new SignInRefused('This service cannot be told to ask for your password again.');
        const kept = { state: random(), code_verifier: random(), redirect_uri: callback };
        const query = new URLSearchParams({
          ...{ response_type: 'code', client_id: id, redirect_uri: callback, state: kept.state },
          code_challenge: createHash('sha256').update(kept.code_verifier).digest('base64url'),
          code_challenge_method: 'S256',
        });
        return { redirect: `${url}/authorize?${query}`, kept: JSON.stringify(kept) };
      },
      async finish({ url: returned, kept, signal }) {
        const { state, ...own } = JSON.parse(kept);
        const given = new URL(returned).searchParams;
        if (given.get('state') !== state) throw again('The answer belongs to another sign-in');
        if (given.has('error')) throw again('The service did not let you in');
        const code = { code: given.get('code') ?? '', grant_type: 'authorization_code', ...own };
        const body = new URLSearchParams({ ...code, client_id: id, client_secret: secret });
        const { error, access_token } = await ask('/token', signal, { method: 'POST', body });
        if (error === 'invalid_grant') throw again('The sign-in took too long');
        const headers = { authorization: `Bearer ${access_token}` };
        const { sub, preferred_username, name, ...user } = await ask('/userinfo', signal, { headers });
        if (typeof sub !== 'string') throw new Error('The service does not tell who signed in.');
        const email = user.email_verified ? user.email : null;
        const groups = [user.groups].flat().filter((group) => typeof group === 'string');
        return { subject: sub, userName: preferred_username, displayName: name, email, groups };
      },
    };
  },
});
