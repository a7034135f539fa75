import { plural } from '../../i18n/plural.js';

export default {
  path: 'Folder',
  go: 'Go',
  choose: 'Choose this folder',
  up: 'One level up',
  now: (path: string) => `Now in ${path}`,
  noFolders: 'No folders in here.',
  repository: 'a Borg repository',
  isRepository: 'This is a Borg repository',
  unreadable: 'Holdfast can’t read it',
  free: (size: string) => `${size} free`,
  files: (count: number) => plural(count, { one: `${count} file`, other: `${count} files` }),
  truncated: 'Not all are shown: type the path.',
  add: 'Add a folder',
  typePath: 'Or type a path',
  remove: (path: string) => `Remove ${path}`,
  none: 'No folder yet.',
  andMore: (count: string) => `and ${count} more`,
  howToAllow: 'How to allow it',
  allowLead: 'On the server, let the service user read them, for example:',
  allowContainer:
    'In a container Holdfast runs as user 10001: use that number instead of holdfast, and mount the folder into the container.',
  absolute: 'Start with a slash: /home/ann.',
};
