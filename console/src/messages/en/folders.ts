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
  unreadable: 'the service can’t read it',
  free: (size: string) => `${size} free`,
  files: (count: number) => plural(count, { one: `${count} file`, other: `${count} files` }),
  truncated: 'There is more than is shown: type the path.',
  add: 'Add a folder',
  typePath: 'Or type a path',
  remove: (path: string) => `Remove ${path}`,
  none: 'No folder yet.',
  andMore: (count: string) => `and ${count} more`,
  howToAllow: 'How to allow it',
  allowLead: 'On the machine, let the user of the service read them, for example:',
  allowContainer:
    'In a container the service runs as user 10001: use that number instead of holdfast, and mount the folder into the container.',
  absolute: 'Begin with a slash: /home/ann.',
};
