const shells = new Set(['sh', 'bash', 'dash', 'ash']);

/**
 * The command that runs a script: bash, unless the shebang names an interpreter other than a plain shell. As
 * in the kernel, the rest of the shebang is one argument; after `env` it is split.
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
