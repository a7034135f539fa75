/** The groups of the documentation, in its order; of those only what some route names is shown. */
export const tags = [
  {
    name: 'Authentication and users',
    description:
      'Access tokens, API tokens and users. A login gives a token for a day; an API token is for scripts and may be ' +
      'limited to reading.',
  },
  {
    name: 'Overview',
    description: 'Whether everything is protected, and what needs attention, in one answer.',
  },
  {
    name: 'Repositories',
    description: 'The repositories that the service knows: where they are, what is saved, and how.',
  },
  {
    name: 'Moving in',
    description: 'Finds repositories that exist already, registers many at once, and takes them over.',
  },
  {
    name: 'Places',
    description: 'Folders of this machine, and a look at sources before they are backed up.',
  },
  {
    name: 'Source sets',
    description: 'Directories and exclude patterns that several repositories back up.',
  },
  {
    name: 'Backups',
    description:
      'Backup jobs. A start answers at once with the id of a job; its status is asked until it has ended.',
  },
  {
    name: 'Jobs',
    description: 'All work that outlives a request, of every kind, in one list with logs.',
  },
  {
    name: 'Archives',
    description: 'What the repositories hold: list, look into, search, compare, download and delete.',
  },
  {
    name: 'Downloads',
    description: 'Links for browsers, each good for one download.',
  },
  {
    name: 'Restore',
    description: 'Writes archives, or paths of them, back to this machine or to a host with a connection.',
  },
  {
    name: 'Schedules',
    description: 'Backups at planned times, with a ledger of what became of each planned run.',
  },
  {
    name: 'Maintenance',
    description: 'Checks, repairs, prunes and compacts repositories, and breaks locks that were left behind.',
  },
  {
    name: 'Drills',
    description:
      'Restores of a sample, compared with what was saved: the proof that a repository can be restored.',
  },
  {
    name: 'Recovery',
    description: 'What somebody needs to read the backups when this machine is gone.',
  },
  {
    name: 'History',
    description: 'How repositories grew, and what became of each day.',
  },
  {
    name: 'Scripts',
    description: 'A library of scripts that run before and after backups.',
  },
  {
    name: 'Notifications',
    description: 'Who is told of what, and what became of each message.',
  },
  {
    name: 'Events',
    description: 'What happens, as it happens, as server-sent events.',
  },
  {
    name: 'SSH',
    description: 'The system key, and the hosts on which it opens an account.',
  },
  {
    name: 'Moving in and out',
    description: 'Settings as a file, and files of borgmatic.',
  },
  {
    name: 'Cache',
    description: 'The cache of archive listings.',
  },
  {
    name: 'Audit',
    description: 'Who did what, and from where.',
  },
  {
    name: 'System',
    description: 'Versions, health, protection, metrics, plugins and this documentation.',
  },
];
