export default {
  title: 'Backup of Holdfast itself',
  lead: 'Every day, Holdfast backs up its database, secret key and plugin data to a separate repository. With it you can restore everything on an empty machine.',
  place: 'Location',
  placeHint: 'Best on another disk. Leave empty for the suggested location.',
  placeThereHint: 'On that host. ./ is the home directory.',
  choose: 'Choose a folder',
  switchOn: 'Turn on',
  switchOff: 'Turn off',
  switchOffTitle: 'Turn off the backup of Holdfast itself?',
  switchOffMeans:
    'Existing copies stay in their repository. No new ones are made: if you lose this server, you lose all changes from now on.',
  isOn: 'Holdfast now backs itself up.',
  isOff: 'Holdfast no longer backs itself up.',
  states: {
    off: 'Off. If you lose this server, you lose all changes since the last copy.',
    waiting: 'On. The first copy has not been made yet.',
    failing: 'The last copy failed:',
    old: 'The last copy is older than two days.',
    well: 'On. The last copy is recent.',
  },
  sameDisk:
    'The copies are on the same disk as the data of Holdfast and would be lost with it. Choose another disk or host.',
  lastCopy: 'Last copy',
  none: 'None yet',
  notPlanned: 'Not scheduled',
  toRepository: 'Its repository',
};
