import type { Messages } from '../areas.js';

const messages: Messages['repository'] = {
  title: 'Repositorys',
  numbered: (id) => `Repository ${id}`,
  parts: 'Teile des Repositorys',
  tabs: { overview: 'Überblick', archives: 'Archive', maintenance: 'Wartung', settings: 'Einstellungen' },
  gone: 'Dieses Repository ist nicht eingetragen. Seine Daten wurden, soweit es sie noch gibt, nicht gelöscht.',
};
export default messages;
