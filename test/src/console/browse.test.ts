import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepository, endedJob, startBackup } from '../actions.js';
import { borgProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import { WebConsole } from './web-console.js';

const html =
  '<!doctype html><script>document.title="taken"</script><img src=x onerror="document.title=`taken`">';
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=`taken`"><image href="http://x"/></svg>';

/** A square of one colour. `says`: the width and height in its header. */
function png(pixels: number, says = pixels): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([size, named, sum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(says, 0);
  header.writeUInt32BE(says, 4);
  const line = Buffer.concat([Buffer.alloc(1), Buffer.alloc(3 * pixels, 0x80)]);
  const data = deflateSync(Buffer.concat(Array.from({ length: pixels }, () => line)));
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

const files: Record<string, string | Buffer> = {
  'photo.png': png(300),
  'photo.txt': png(2500),
  'page.png': html,
  'drawing.svg': svg,
  'huge.txt': Buffer.alloc(100_000_000, 'a line of a huge text\n'),
  'broken.png': png(300).subarray(0, 60),
  'bomb.png': png(10, 60_000),
  'large.jpg': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(9_000_000)]),
  'data.png': Buffer.from([0x89, 0x50, 0, 1, 2, 3]),
  'latin.txt': Buffer.from('Gr\xfc\xdfe', 'latin1'),
};

describe('browsing an archive', () => {
  let server: TestServer;
  let console: WebConsole;
  let repository: string;
  let source: string;
  let names: string[];

  beforeAll(async () => {
    server = await TestServer.start();
    const api = await server.login();
    source = server.workspace.folder('home');
    repository = join(server.workspace.path, 'repository');
    await createRepository(api, { name: 'photos', path: repository, source_directories: [source] });
    const backUp = async () => endedJob(api, await startBackup(api, repository));
    writeFileSync(join(source, 'first'), '');
    await backUp();
    const folder = join(source, 'holiday');
    mkdirSync(folder);
    for (const [name, contents] of Object.entries(files)) writeFileSync(join(folder, name), contents);
    for (let count = 0; count < 3; count += 1) await backUp();
    const { archives } = (await api.get('/api/archives/list?repository_id=1')).body;
    names = archives.map(({ name }: { name: string }) => name);
    console = await WebConsole.open(server);
    await console.signIn();
  });
  afterAll(async () => {
    await console.close();
    await server.remove();
  });

  const addressIn = (archive = '') =>
    `/repositories/1/browse/${encodeURIComponent(archive)}${source}/holiday`;

  async function open(archive: string | undefined) {
    const page = await console.visit(addressIn(archive));
    const read = page.getByRole('button', { name: 'Read it' });
    await read.or(page.getByRole('grid')).first().waitFor();
    if (await read.isVisible()) await read.click();
    await page.getByRole('grid').waitFor();
    return page;
  }

  test('shows the sizes in a folder as boxes that open', async () => {
    const page = await open(names[1]);
    const boxes = page.getByRole('group', { name: 'Sizes in this folder' });
    const largest = boxes.getByRole('button', { name: 'huge.txt 100 MB (file, 91 %)' });
    await page.getByText(/^109 MB in total\. The largest: huge\.txt, 91 %\.$/).waitFor();
    await largest.focus();
    await page.keyboard.press('ArrowRight');
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    expect(focused).toMatch(/^large\.jpg9 MB\(file, 8 %\)$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'large.jpg' }).getByRole('button', { name: 'Close' }).click();
    await boxes.getByText('8 others').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Show as a table: Sizes in this folder' }).click();
    const table = page.getByRole('table', { name: 'Sizes in this folder' });
    expect(await table.getByRole('row').count()).toBe(1 + Object.keys(files).length);
    await page.getByRole('link', { name: 'home', exact: true }).click();
    await boxes.getByRole('button', { name: /^holiday .* \(folder, / }).click();
    await page.waitForURL(`**${addressIn(names[1])}`);
    await page.getByRole('button', { name: 'Sizes', exact: true, expanded: true }).click();
    expect(await boxes.count()).toBe(0);
    await page.getByRole('button', { name: 'Sizes', exact: true }).click();
    await boxes.waitFor();
  });

  test('shows previews by their contents and runs nothing', async () => {
    const page = await open(names[1]);
    const dialog = page.getByRole('dialog');
    const preview = async (name: string) => {
      await page.getByRole('row', { name }).getByRole('button', { name }).first().click();
      await dialog.getByRole('button', { name: 'Preview' }).click();
    };
    const close = () => dialog.getByRole('button', { name: 'Close' }).click();
    const drawn = () =>
      dialog.getByRole('img').evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas;
        return [
          width,
          height,
          ...(canvas.getContext('2d')?.getImageData(width - 1, height - 1, 1, 1).data ?? []),
        ];
      });
    const misnamed = dialog.getByText('The name does not match the contents');

    await preview('photo.png');
    await expect.poll(drawn).toEqual([300, 300, 128, 128, 128, 255]);
    expect(await misnamed.count()).toBe(0);
    await close();
    await preview('photo.txt');
    await expect.poll(drawn).toEqual([2000, 2000, 128, 128, 128, 255]);
    await misnamed.waitFor();
    await close();
    for (const [name, text] of Object.entries({
      'page.png': html,
      'drawing.svg': svg,
      'latin.txt': 'Grüße',
    })) {
      await preview(name);
      const shown = dialog.getByRole('group', { name: 'Preview' });
      expect(await shown.textContent()).toBe(text);
      expect(await misnamed.count()).toBe(name === 'page.png' ? 1 : 0);
      await close();
    }
    await preview('huge.txt');
    await dialog.getByText('Only the first 256 kB are shown.').waitFor();
    expect((await dialog.getByRole('group', { name: 'Preview' }).textContent())?.length).toBe(256_000);
    const left = () => borgProcesses(repository).length === 0;
    await waitFor(left, { what: 'the end of the tool', timeoutMs: 60_000 });
    await close();
    for (const [name, sentence] of Object.entries({
      'broken.png': 'This image can’t be displayed.',
      'bomb.png': 'Too large for a preview: at most 8 MB',
      'large.jpg': 'Too large for a preview: at most 8 MB',
      'data.png': 'There is no preview',
    })) {
      await preview(name);
      await dialog.getByText(sentence).waitFor();
      expect(await dialog.getByRole('img').count()).toBe(0);
      await close();
    }
    await page.route('**/api/archives/download?*', (route) => route.fulfill({ body: 'half of it' }));
    await preview('huge.txt');
    await dialog.getByText('The transfer stopped before the end.').waitFor();
    await page.unroute('**/api/archives/download?*');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('Only the first 256 kB are shown.').waitFor();
    await close();
    expect(await page.title()).toMatch(/ · Holdfast$/);
    expect(console.violations).toEqual([]);
  });

  test('sorts a folder and follows it through other archives', async () => {
    const page = await open(names[1]);
    const first = page.getByRole('row').nth(1);
    await page.getByRole('button', { name: 'Size', exact: true }).click();
    await first.filter({ hasText: 'huge.txt' }).waitFor();
    await page.getByRole('button', { name: 'Size', exact: true }).click();
    await first.filter({ hasText: 'latin.txt' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select latin.txt' }).check();
    await page.getByRole('searchbox').fill('.txt');
    const slider = page.getByRole('slider', { name: 'As of' });
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^As of .+ · 2 of 4$/);
    await slider.focus();
    for (const [key, index] of [
      ['End', 3],
      ['ArrowLeft', 2],
      ['Home', 0],
      ['ArrowRight', 1],
    ] as const) {
      await page.keyboard.press(key);
      expect(await slider.getAttribute('aria-valuetext')).toContain(` ${index + 1} of 4`);
      await page.waitForURL(`**${addressIn(names[index])}`);
      if (index === 0) await page.getByRole('status').filter({ hasText: 'This folder is not in' }).waitFor();
      else await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('4');
      expect(await slider.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    await first.filter({ hasText: 'latin.txt' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select latin.txt', checked: true }).waitFor();
    expect(console.violations).toEqual([]);
  });
});
