import { findProgram, run } from './run.mjs';
import { PrepareError, say } from './say.mjs';

const quietly = ['env', 'DEBIAN_FRONTEND=noninteractive'];
const waitForLock = ['-o', 'DPkg::Lock::Timeout=300'];

/** How each manager installs packages, with an optional first step that may fail. */
const managers = [
  {
    program: 'apt-get',
    before: [...quietly, 'apt-get', ...waitForLock, '-q', 'update'],
    install: [...quietly, 'apt-get', ...waitForLock, '-q', 'install', '-y', '--no-install-recommends'],
  },
  { program: 'dnf', install: ['dnf', 'install', '-y'] },
  { program: 'pacman', install: ['pacman', '-Sy', '--noconfirm', '--needed'] },
  { program: 'apk', install: ['apk', 'add'] },
  { program: 'zypper', install: ['zypper', '--non-interactive', 'install'] },
  { program: 'brew', install: ['brew', 'install'], asUser: true },
];

let last = Promise.resolve();

/**
 * Installs a program with the system's package manager if that needs no confirmation: as root, or with `sudo -n`.
 * @param names package names by manager, `{ 'apt-get': ['borgbackup'], … }`
 * @throws PrepareError with the command to run manually
 */
export function installWithSystem(what, names) {
  // Package managers refuse to work twice at once.
  const turn = last.then(() => install(what, names));
  last = turn.catch(() => {});
  return turn;
}

async function install(what, names) {
  const manager = managers.find(({ program }) => names[program] && findProgram(program));
  if (!manager) throw new PrepareError(`${what} is missing: install it and run the command again.`);
  const packages = names[manager.program];
  const byHand = [...manager.install.filter((word) => !quietly.includes(word)), ...packages].join(' ');
  const advice = `Run \`${manager.asUser ? '' : 'sudo '}${byHand}\` and try again.`;
  if (process.env.HOLDFAST_NO_INSTALL === '1') {
    throw new PrepareError(`${what} is missing, and HOLDFAST_NO_INSTALL=1 forbids installing it. ${advice}`);
  }
  const prefix = manager.asUser ? [] : await privilege();
  if (prefix === null) throw new PrepareError(`${what} is missing. ${advice}`);
  say(
    `Installing ${what} with ${manager.program} (${packages.join(' ')}); HOLDFAST_NO_INSTALL=1 prevents this.`,
  );
  if (manager.before) await run(...split([...prefix, ...manager.before]), { quiet: true });
  const { code, output } = await run(...split([...prefix, ...manager.install, ...packages]), { quiet: true });
  if (code === 0) return;
  const reason = output.trim().split('\n').slice(-3).join(' / ');
  throw new PrepareError(`${what} could not be installed (${reason}). ${advice}`);
}

function split([command, ...parameters]) {
  return [command, parameters];
}

/** The words before a command that needs root: none as root, `sudo -n` if it needs no password, otherwise null. */
async function privilege() {
  if (process.getuid?.() === 0) return [];
  if (!findProgram('sudo')) return null;
  const { code } = await run('sudo', ['-n', 'true'], { quiet: true });
  return code === 0 ? ['sudo', '-n'] : null;
}
