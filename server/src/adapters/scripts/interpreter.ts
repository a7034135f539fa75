const shells = new Set(['sh', 'bash', 'dash', 'ash']);

/**
 * The command that reads a script: bash, unless the first line names an interpreter that is no plain shell.
 * As the kernel has it, all that follows the interpreter on that line is one argument; after `env` it is
 * split.
 */
export function interpreterOf(text: string): string[] {
  const [, program, rest] = /^#![ \t]*(\S+)[ \t]*([^\n]*)/.exec(text) ?? [];
  if (program === undefined) return ['bash'];
  const name = program.slice(program.lastIndexOf('/') + 1);
  const parameters = rest?.trim() ? [rest.trim()] : [];
  if (name !== 'env') return shells.has(name) ? ['bash'] : [program, ...parameters];
  const words = (rest ?? '')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '-S');
  return shells.has(words[0] ?? 'sh') ? ['bash'] : [program, ...words];
}
