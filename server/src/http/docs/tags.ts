/** The groups of the documentation, in its order; of those only what some route names is shown. */
export const tags = [
  {
    name: 'Authentication and users',
    description:
      'Access tokens, API tokens and users. A login returns a token for a day; an API token is for scripts ' +
      'and may be read-only.',
  },
  {
    name: 'Overview',
    description: 'Whether everything is protected, and what needs attention, in one response.',
  },
  {
    name: 'Repositories',
    description: 'The registered repositories: their locations, sources and settings.',
  },
  {
    name: 'Import and migrate',
    description: 'Finds existing repositories, imports many at once, and takes over their backups.',
  },
  {
    name: 'Folders',
    description: 'Folders on this server, and checks of sources before they are backed up.',
  },
  {
    name: 'Source sets',
    description: 'Directories and exclude patterns that several repositories back up.',
  },
  {
    name: 'Sources',
    description: 'Databases and containers that backups prepare: the kinds, what is found, and checks.',
  },
  {
    name: 'Backups',
    description:
      'Backup jobs. Starting one returns the id of the job at once; poll its status until it ends.',
  },
  {
    name: 'Jobs',
    description: 'Jobs of every kind in one list, with logs.',
  },
  {
    name: 'Archives',
    description: 'List, browse, search, compare, download and delete archives.',
  },
  {
    name: 'Downloads',
    description: 'Links for browsers, each valid for one download.',
  },
  {
    name: 'Restore',
    description: 'Restores archives, or paths in them, to this server or to a host with a connection.',
  },
  {
    name: 'Schedules',
    description: 'Backups at scheduled times, with a run history.',
  },
  {
    name: 'Maintenance',
    description: 'Checks, repairs, prunes and compacts repositories, and breaks stale locks.',
  },
  {
    name: 'Drills',
    description: 'Automatic test restores of a sample, compared with the archive and the sources.',
  },
  {
    name: 'Recovery',
    description: 'The recovery sheet: all you need to open your backups without this server.',
  },
  {
    name: 'History',
    description: 'Repository growth, and the backup status of each day.',
  },
  {
    name: 'Scripts',
    description: 'A library of scripts that run before and after backups.',
  },
  {
    name: 'Notifications',
    description: 'Notification channels, and the delivery status of each message.',
  },
  {
    name: 'Events',
    description: 'Events as they happen, as server-sent events.',
  },
  {
    name: 'SSH',
    description: 'The system key, and connections to the hosts that accept it.',
  },
  {
    name: 'Export and import',
    description: 'Export and import of settings, and of borgmatic files.',
  },
  {
    name: 'Cache',
    description: 'The cache of archive listings.',
  },
  {
    name: 'Audit',
    description: 'Records who did what, and from where.',
  },
  {
    name: 'System',
    description: 'Versions, health, protection, metrics, plugins and this documentation.',
  },
];
