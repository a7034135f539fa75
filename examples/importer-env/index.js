import { definePlugin, say } from '@holdfast/plugin-api';
import { z } from 'zod';

const unknown = say`example_unknown: Holdfast has no setting for this variable.`;
const known = ['BORG_REPO', 'BORG_PASSPHRASE', 'BACKUP_FOLDERS'];

/** One file of `NAME=value` lines, as scripts around borg source it. */
function readFile({ name: file, content }, at, { found, takeOver }) {
  const set = content.split('\n').flatMap((text, line) => {
    const [, name, value] = /^(?:export )?(\w+)=(.*)$/.exec(text) ?? [];
    return name ? [{ value, option: { file, line: line + 1, key: name, name } }] : [];
  });
  const of = (name) => set.findLast(({ option }) => option.name === name);
  const [repo, passphrase, folders] = known.map(of);
  const settings = { source_directories: folders?.value.split(':').filter(Boolean) ?? [] };
  const secrets = { passphrase: passphrase?.value || null, keyFile: null, awaited: false };
  const base = file.split('/').at(-1) || 'environment';
  const place = { kind: 'local', path: repo?.value };
  const wanted = {
    option: repo?.option,
    text: repo?.value,
    name: base,
    place,
    secrets,
    encryption: null,
    settings,
  };
  const report = set.map(({ option }) =>
    known.includes(option.name)
      ? { option, result: 'taken', why: null, accept_as: null }
      : { option, result: 'lost', why: unknown, accept_as: option.name },
  );
  const full = takeOver && settings.source_directories.length > 0;
  const objects = (found?.[at]?.repositories ?? []).map(
    ({ id, name, path, encryption, connection, leftOut }) => ({
      section: 'repositories',
      value: {
        repository_id: id,
        name,
        path,
        encryption,
        connection,
        ...settings,
        mode: full ? 'full' : 'observe',
        ...(full && { left_out: leftOut }),
        passphrase: secrets.passphrase ?? undefined,
      },
      option: repo?.option ?? null,
    }),
  );
  return { base, repositories: repo?.value ? [wanted] : [], report, settings: objects };
}

function read(files, environment) {
  const all = files.map((file, at) => readFile(file, at, environment));
  const secrets = all.flatMap(({ repositories }) =>
    repositories.flatMap((each) => each.secrets.passphrase ?? []),
  );
  return { files: all, needs: [], checks: [], secrets, unreadable: null };
}

export default definePlugin({ kind: 'importer', configuration: z.object({}), create: () => ({ read }) });
