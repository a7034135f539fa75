export default {
  add: 'New source set',
  addLead: 'Named directories that several repositories can share.',
  empty: 'No source sets yet. They help when several repositories back up the same directories.',
  fields: {
    name: 'Name',
    source_connection_id: 'Host',
    source_directories: 'Source directories',
    exclude_patterns: 'Exclude patterns',
    allow_parallel: 'Parallel backups',
  },
  hints: {
    exclude_patterns: 'One Borg pattern per line, such as */.cache',
    allow_parallel: 'Otherwise the repositories take turns, so that only one reads a disk at a time.',
  },
  changesAll: 'Changes apply to all repositories that use it, starting with their next backup.',
  howToUse: 'Not used. Choose it in the settings of a repository.',
  remove: 'Delete source set',
  removeMeans: 'Repositories are not changed. A source set that is in use can’t be deleted.',
};
