export default {
  title: 'Repositories',
  numbered: (id: number) => `Repository ${id}`,
  parts: 'Parts of the repository',
  tabs: { overview: 'Overview', archives: 'Archives', maintenance: 'Maintenance', settings: 'Settings' },
  gone: 'This repository is not registered. Its data, if it still exists, was not deleted.',
};
