import type { Command } from 'commander';
import { repositoriesOf, schedulesOf } from './pick.js';
import { connect } from './service.js';
import { safe } from './text.js';

const scripts = {
  bash: (name: string, id: string) => `# eval "$(${name} completion bash)"
${id}() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$(printf %q "$word")"); done \\
    < <(${name} completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -o default -F ${id} ${name}`,
  zsh: (name: string, id: string) => `# eval "$(${name} completion zsh)"
${id}() {
  local -a found
  found=("\${(@f)$(${name} completion words -- "\${(@)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef ${id} ${name}`,
  fish: (name: string, id: string) => `# ${name} completion fish | source
function ${id}
  set -l found (${name} completion words -- (commandline -opc)[2..] (commandline -ct) 2> /dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c ${name} -f -a '(${id})'`,
};

/** The shells ask this program itself: it knows its commands, and the names of repositories. */
export const scriptFor = (shell: keyof typeof scripts, name: string): string =>
  scripts[shell](name, `_${name.replaceAll('-', '_')}`);

/** What may be in place of the last word. */
export async function wordsAfter(program: Command, words: readonly string[]): Promise<string[]> {
  const last = words.at(-1) ?? '';
  const { command, given } = commandOf(program, words.slice(0, -1));
  const choices = command.commands.filter((each) => each.name() !== 'words').map((each) => each.name());
  const option = command.options.find(({ long, short }) => [long, short].includes(words.at(-2)));
  const found = option?.required
    ? (option.argChoices ?? (option.long === '--repository' ? await names(command) : []))
    : last.startsWith('-')
      ? [...command.options.map(({ long }) => long ?? ''), '--help']
      : choices.length > 0
        ? choices
        : command.registeredArguments[given]?.name() === 'name'
          ? await names(command)
          : [];
  return found.filter((each) => each.startsWith(last)).map(safe);
}

function commandOf(program: Command, words: readonly string[]): { command: Command; given: number } {
  let command = program;
  let given = 0;
  for (const [at, word] of words.entries()) {
    const next = command.commands.find((each) => each.name() === word);
    const isValue = command.options.some(({ long, required }) => required && long === words[at - 1]);
    if (next) command = next;
    else if (!word.startsWith('-') && !isValue) given += 1;
  }
  return { command, given };
}

/** None if the service does not answer at once. */
async function names(command: Command): Promise<string[]> {
  try {
    if (!process.env.HOLDFAST_TOKEN) return [];
    const client = await connect({}, { within: 1 });
    const schedules = command.name() === 'backup' ? await schedulesOf(client) : [];
    return [...(await repositoriesOf(client)), ...schedules].map(({ name }) => name);
  } catch {
    return [];
  }
}
