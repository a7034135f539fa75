import Provider from 'oidc-provider';

const { port, origin, people } = JSON.parse(process.argv[2] ?? '{}');

const provider = new Provider(`http://localhost:${port}`, {
  clients: [
    {
      client_id: 'holdfast',
      client_secret: 'secret of the client',
      redirect_uris: [`${origin}/api/auth/sign-in/oidc/callback`],
      post_logout_redirect_uris: [`${origin}/`],
    },
  ],
  claims: {
    openid: ['sub'],
    profile: ['preferred_username', 'name', 'groups'],
    email: ['email', 'email_verified'],
  },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  pkce: { required: () => true },
  cookies: { keys: ['a key for this test'] },
});
provider.listen(port, '127.0.0.1', () => console.log('listening'));
