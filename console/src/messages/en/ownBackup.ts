export default {
  title: 'Backup of Holdfast itself',
  lead: 'Every day a copy of the database, the secret key and the data of plugins goes into a repository of its own. With it, everything comes back on an empty machine: users, repositories, schedules and history.',
  place: 'Place',
  placeHint: 'Best on another disk. Empty: the place that is proposed.',
  placeThereHint: 'On that machine. ./ is the home directory there.',
  choose: 'Choose a folder',
  switchOn: 'Switch it on',
  switchOff: 'Switch it off',
  switchOffTitle: 'Switch off the backup of Holdfast itself?',
  switchOffMeans:
    'Copies that were made stay in their repository. No new ones are made: if this machine is lost, what changes from now on is lost with it.',
  isOn: 'Holdfast backs up itself now.',
  isOff: 'Holdfast no longer backs up itself.',
  states: {
    off: 'It is switched off. If this machine is lost, what changed since the last copy is lost with it.',
    waiting: 'It is switched on. The first copy has not been made yet.',
    failing: 'The last copy could not be made:',
    old: 'The last copy is older than two days.',
    well: 'It is switched on, and the last copy is recent.',
  },
  sameDisk:
    'The copies lie on the same disk as the data of Holdfast and would be lost with it. Choose another disk or another machine.',
  lastCopy: 'Last copy',
  nextRun: 'Next run',
  none: 'None yet',
  notPlanned: 'Not planned',
  toRepository: 'Its repository',
};
