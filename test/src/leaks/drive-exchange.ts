import type { Api } from '../api.js';
import { expectStatus } from './drive-accounts.js';
import type { LeakWorld } from './leak-world.js';

/** Settings out and in, sealed and not, and files of borgmatic with secrets in each place that may hold one. */
export async function driveExchange({ book }: LeakWorld, api: Api): Promise<void> {
  expectStatus(await api.get('/api/settings/export'), 200);
  const seal_passphrase = book.plant('the passphrase of a sealed document');
  const sealed = expectStatus(await api.post('/api/settings/export', { seal_passphrase }), 200);
  const { document } = sealed.body;
  const wrong = book.plant('a wrong passphrase of a sealed document');
  expectStatus(await api.post('/api/settings/import', { document, seal_passphrase: wrong }), 400);
  for (const dry_run of [true, false])
    expectStatus(await api.post('/api/settings/import', { document, seal_passphrase, dry_run }), 200);
  const odd = {
    ...document,
    notifications: [{ name: 'odd', service_url: book.plant('an odd service URL') }],
  };
  expectStatus(await api.post('/api/settings/import', { document: odd }), 200);

  const content = `
repositories: [{path: /nowhere/at/all, label: gone}]
encryption_passphrase: ${book.plant('a passphrase in a file of borgmatic')}
encryption_passcommand: echo of-a-secret
ntfy:
  topic: backups
  server: http://127.0.0.1:9
  access_token: ${book.plant('a token in a file of borgmatic', 'service_url')}
  password: '{credential file /nowhere}'
healthchecks: {ping_url: 'http://127.0.0.1:9/${book.plant('an address of a monitor')}'}
`;
  const files = [{ name: 'config.yaml', content }];
  const answers = [
    { kind: 'credential', name: 'file /nowhere', text: book.plant('a credential of borgmatic') },
    { kind: 'command', name: 'echo of-a-secret', text: book.plant('what a passcommand prints') },
    { kind: 'passphrase', name: '/nowhere/at/all', text: book.plant('a passphrase that was asked for') },
  ];
  for (const dry_run of [true, false])
    expectStatus(await api.post('/api/import/borgmatic', { files, answers, take_over: true, dry_run }), 200);
  expectStatus(
    await api.post('/api/import/borgmatic', { files: [{ name: 'x', content: `: ${content}` }] }),
    400,
  );
  expectStatus(await api.get('/api/export/borgmatic'), 200);
  expectStatus(await api.post('/api/export/borgmatic', { secrets: true }), 200);
}
