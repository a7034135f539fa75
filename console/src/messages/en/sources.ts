import { plural } from '../../i18n/plural.js';

export default {
  add: 'New source set',
  addLead: 'Folders with a name, so that several repositories back up the same.',
  empty: 'There are no source sets. One is of use when the same folders go into several repositories.',
  uses: (count: number) =>
    count === 0 ? 'not used' : plural(count, { one: `${count} repository`, other: `${count} repositories` }),
  fields: {
    name: 'Name',
    source_connection_id: 'Where the folders are',
    source_directories: 'Folders',
    exclude_patterns: 'Leave out',
    allow_parallel: 'Backups at the same time',
  },
  hints: {
    exclude_patterns: 'Patterns of borg, one a line, such as */.cache',
    allow_parallel: 'Otherwise the repositories take turns, so that a disk is read by one only.',
  },
  thisMachine: 'This machine',
  changesAll: 'Changes apply to all repositories that use it, from their next backup on.',
  howToUse: 'Nothing uses it. Choose it in the settings of a repository.',
  remove: 'Delete source set',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeMeans: 'Nothing in any repository changes. A set that is in use can’t be deleted.',
  removed: (name: string) => `${name} was deleted.`,
};
