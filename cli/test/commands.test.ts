import { Command } from 'commander';
import { afterEach, describe, expect, it } from 'vitest';
import { wordsAfter } from '../src/completion.js';
import { addCommands } from '../src/program.js';
import { answer, connect } from '../src/service.js';

const kept = { ...process.env };
afterEach(() => {
  for (const name of ['HOLDFAST_TOKEN', 'HOLDFAST_URL', 'HOST', 'PORT']) delete process.env[name];
  Object.assign(process.env, kept);
});

function makeProgram(): Command {
  const program = new Command('holdfast-cli').exitOverride();
  addCommands(program);
  return program;
}

describe('completion', () => {
  it.each([
    [['li'], ['list']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['restore', 'nas-1', '--layout', 's'], ['selection']],
    [['restore', '--ov'], ['--overwrite']],
    [['backup', '--no'], ['--no-wait']],
    [['backup', ''], []],
    [['nothing', ''], null],
  ])('continues %j', async (words, expected) => {
    delete process.env.HOLDFAST_TOKEN;
    const commands = makeProgram().commands.map((command) => command.name());
    expect(await wordsAfter(makeProgram(), words)).toEqual(expected ?? commands);
  });
});

describe('usage', () => {
  it.each([
    [['backup']],
    [['restore', 'nas-1']],
    [['pin', 'nas-1']],
    [['find', 'x', '--type', 'door']],
    [['status', 'all']],
    [['completion', 'csh']],
  ])('refuses %j', async (words) => {
    const program = makeProgram();
    for (const each of [program, ...program.commands])
      each.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
    await expect(program.parseAsync(words, { from: 'user' })).rejects.toThrow();
  });
});

describe('connect', () => {
  const baseOf = async (url?: string) => {
    process.env.HOLDFAST_TOKEN = 'hf_1';
    return (await connect({ url })).baseUrl;
  };
  it('takes the address from the option, HOLDFAST_URL or HOST and PORT', async () => {
    Object.assign(process.env, { HOST: '::', PORT: '9000' });
    expect(await baseOf()).toBe('http://127.0.0.1:9000');
    process.env.HOLDFAST_URL = 'https://backup.example.org/holdfast/';
    expect(await baseOf()).toBe('https://backup.example.org/holdfast');
    expect(await baseOf('http://other:1')).toBe('http://other:1');
  });
  it('refuses an address without http', async () => {
    await expect(baseOf('backup.example.org')).rejects.toThrow('--url must be an address');
    process.env.HOLDFAST_URL = 'backup.example.org';
    await expect(baseOf()).rejects.toThrow('HOLDFAST_URL must be an address');
  });
  it('names the address that does not respond', async () => {
    process.env.HOLDFAST_TOKEN = 'hf_1';
    const client = await connect({ url: 'http://127.0.0.1:9' }, { within: 5 });
    await expect(answer(client.GET('/api/overview'))).rejects.toThrow(
      /^Holdfast does not respond at http:\/\/127\.0\.0\.1:9 \(.+\): start it, or set --url\.$/,
    );
  });
});
