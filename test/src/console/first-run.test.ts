import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminPassword, TestServer } from '../server.js';
import { HttpSink } from '../services/http-sink.js';
import { accessibilityFindings } from './accessibility.js';
import { Keyboard } from './keyboard.js';
import { WebConsole } from './web-console.js';

/**
 * What a newcomer has to decide. Counted: each value that is typed or chosen and was not proposed; the proposals of a
 * step, as one, where Next takes them; and each yes or no that has to be taken. The name and the first password stand
 * beside each other in the log of the service: typing both is one. Words that are typed from the sheet prove that it is
 * there; nothing is decided by them.
 */
const mostDecisions = 12;

describe.each([390, 1440])('the first run at %i px, with the keyboard only', (width) => {
  let server: TestServer;
  let sink: HttpSink;

  beforeAll(async () => {
    [server, sink] = await Promise.all([TestServer.start(), HttpSink.open()]);
  });
  afterAll(async () => {
    await Promise.all([server.remove(), sink.close()]);
  });

  test('protects a folder and tests a channel in at most 12 decisions', async () => {
    const source = server.workspace.folder('letters');
    writeFileSync(join(source, 'ann.txt'), 'Dear Ann');
    const console = await WebConsole.open(server, { width });
    const { page } = console;
    const keyboard = new Keyboard(page);
    const decisions: string[] = [];
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const arrives = async (title: string | RegExp) => {
      await keyboard.arrives(title);
      expect(await accessibilityFindings(page), `${title}`).toEqual([]);
    };
    await page.goto(console.url);
    await arrives('Sign in to Holdfast');
    await keyboard.type(field('User name'), 'admin');
    await keyboard.type(field('Password'), adminPassword);
    decisions.push('who signs in');
    await keyboard.press('Enter');

    await arrives('Nothing is protected yet.');
    await keyboard.enter(page.getByRole('link', { name: 'Protect a folder' }));
    await arrives('What do you want to protect?');
    await keyboard.type(field('Or type a path'), source);
    decisions.push('the folder');
    await keyboard.press('Enter');
    await page.getByText('1 file', { exact: false }).waitFor();
    await keyboard.enter(button('Next'));
    decisions.push('Next: what is left out');

    await arrives('Where do the backups go?');
    await keyboard.type(field('Folder for backups'), server.workspace.folder('disk'));
    decisions.push('the place');
    await page.getByText(/ free\.$/).waitFor();
    await keyboard.enter(button('Next'));
    decisions.push('Next: the name');

    await arrives('A passphrase for the backups');
    const saved = page.waitForEvent('download');
    await keyboard.enter(button('Download the sheet'));
    decisions.push('how the sheet is kept');
    const sheet = readFileSync(await (await saved).path(), 'utf8');
    const words = /^Passphrase: (.*)$/m.exec(sheet)?.[1]?.split(' ') ?? [];
    await keyboard.type(field('Second word'), words[1] ?? '');
    await keyboard.type(field('Fifth word'), words[4] ?? '');
    await keyboard.press('Enter');
    decisions.push('Next: the passphrase');

    await arrives('When, and for how long?');
    await keyboard.enter(button('Next'));
    decisions.push('Next: daily, the standard retention, a check each week');

    await arrives('How should Holdfast alert you?');
    await keyboard.reach(page.getByRole('combobox', { name: 'Service' }));
    await page.keyboard.type('Webhook');
    decisions.push('the service');
    await keyboard.type(field('URL'), `http://${sink.host}`);
    decisions.push('its address');
    await keyboard.enter(button('Send a test and continue'));
    decisions.push('Next: name and occasions of the messages');
    await sink.taken(1);

    await arrives('Is this right?');
    await page.getByText(/ free\.$/).waitFor();
    await keyboard.enter(button('Create and back up now'));
    decisions.push('yes, create it');
    await arrives(/^Backup of letters/);
    await page.getByText('Done', { exact: true }).first().waitFor();
    await keyboard.press('g', 'h');
    await arrives('Your repository is protected.');
    // The sheet of the wizard counts.
    const sheets = await (await server.login()).get('/api/recovery-sheet/state');
    expect(sheets.body).toMatchObject({ state: 'current', reason: null });

    expect(keyboard.complaints).toEqual([]);
    expect(console.violations).toEqual([]);
    expect(decisions.length, decisions.join('; ')).toBeLessThanOrEqual(mostDecisions);
    await console.close();
  });
});
