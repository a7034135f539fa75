import { spawnSync } from 'node:child_process';
import { cpSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { node24 } from '../prepare/node-24.mjs';
import { findProgram } from '../prepare/run.mjs';
import { PrepareError, say } from '../prepare/say.mjs';
import { inContainer, needed, outputOf, visibly } from './tools.mjs';

const release = 'trixie';
const name = `localhost/holdfast-base:node-24-${release}`;
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** What Debian's slim images also leave out; licences stay. */
const leftOut = `path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
path-exclude /usr/share/info/*
path-exclude /usr/share/locale/*
path-exclude /usr/share/man/*
`;

/**
 * The base image that the Dockerfile names if its registry is reachable, otherwise a local one. Resolves to its name.
 */
export async function baseOr(published) {
  if (spawnSync('buildah', ['pull', '--quiet', published], { stdio: 'ignore' }).status === 0)
    return published;
  if (outputOf('buildah', 'images', '--format', '{{.Name}}:{{.Tag}}').split('\n').includes(name)) {
    say(`${published} is not available: building from ${name} (\`buildah rmi ${name}\` forces a rebuild).`);
    return name;
  }
  say(
    `${published} is not available: creating ${name} from Debian ${release} and the npm package of Node.js 24.`,
  );
  await make();
  return name;
}

async function make() {
  if (process.getuid?.() !== 0)
    throw new PrepareError('Only root can create a base image. Name one with --base NAME.');
  await needed('debootstrap');
  await inContainer('scratch', (root, container) => {
    installDebian(root);
    installNode(root);
    visibly('buildah', 'config', '--env', `PATH=${path}`, container);
    visibly('buildah', 'commit', '--quiet', '--format', 'docker', container, name);
  });
}

function installDebian(root) {
  const sources = debianSources();
  visibly('debootstrap', '--variant=minbase', release, root, sources[0].split(' ')[1]);
  writeFileSync(join(root, 'etc', 'apt', 'sources.list'), `${sources.join('\n')}\n`);
  writeFileSync(join(root, 'etc', 'dpkg', 'dpkg.cfg.d', 'slim'), leftOut);
  visibly('find', join(root, 'usr/share/doc'), '!', '-type', 'd', '!', '-name', 'copyright', '-delete');
  const unneeded = [
    'usr/share/info',
    'usr/share/locale',
    'usr/share/man',
    'var/cache/apt',
    'var/lib/apt/lists',
    'var/log/bootstrap.log',
  ];
  for (const path of unneeded) rmSync(join(root, path), { recursive: true, force: true });
}

/** Where apt on this machine gets this release from; the release's own source first. */
function debianSources() {
  const line = 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)';
  const targets = findProgram('apt-get')
    ? outputOf('apt-get', 'indextargets', '--format', line, 'Created-By: Packages', 'Origin: Debian')
    : '';
  const found = targets.split('\n').filter((text) => text.includes(` ${release}`));
  const main = found.find((text) => text.includes(` ${release} `));
  return [...new Set([main ?? `deb http://deb.debian.org/debian ${release} main`, ...found])];
}

/** Node.js with its headers, and the npm of this machine, in the same locations as in the public image. */
function installNode(root) {
  const place = (...path) => join(root, 'usr', 'local', ...path);
  // OpenSSL's headers for all other systems take more space than everything else.
  const filter = (path) => !path.endsWith('/include/node/openssl/archs');
  const copy = (from, to) => cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter });
  const node = node24();
  for (const part of [join('bin', 'node'), join('include', 'node')]) copy(join(node, part), place(part));
  const npm = process.env.npm_execpath ?? findProgram('npm');
  if (!npm) throw new PrepareError('npm is not on PATH.');
  copy(join(dirname(realpathSync(npm)), '..'), place('lib', 'node_modules', 'npm'));
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', place('bin', 'npm'));
  visibly('chroot', root, '/usr/local/bin/node', '--version');
}
