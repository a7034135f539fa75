import { expect, test } from 'vitest';
import { ReservedPlaces } from '../../src/backup/repositories/repository-path.rules.js';

const places = new ReservedPlaces([
  { path: '/srv/holdfast/data', what: 'the data folder of Holdfast', identity: '1:10' },
  { path: '/backups/home', what: 'repository home', identity: null },
]);

test.each([
  ['/srv/holdfast/data', 'is inside the data folder of Holdfast'],
  ['/srv/holdfast/data/x', 'is inside the data folder of Holdfast'],
  ['/srv/holdfast', 'contains the data folder of Holdfast (/srv/holdfast/data)'],
  ['/srv', 'contains the data folder of Holdfast (/srv/holdfast/data)'],
  ['/backups', 'contains repository home (/backups/home)'],
  ['/backups/home/data', 'is inside repository home'],
])('refuses %s as a destination', (destination, reason) => {
  expect(String(places.refusal(destination))).toBe(`${destination} ${reason}: choose another destination.`);
});

test.each(['/', '/srv/holdfast/data-2', '/srv/hold', '/backups/homes', '/elsewhere'])(
  'accepts %s',
  (destination) => {
    expect(places.refusal(destination)).toBeNull();
  },
);

test('finds entries of an in-place restore that would overwrite a reserved folder', () => {
  expect(places.holderOf('/srv/holdfast/data/holdfast.db', false)).toBe('the data folder of Holdfast');
  expect(places.holderOf('/srv/holdfast/data/sub', true)).toBe('the data folder of Holdfast');
  expect(places.holderOf('/srv/holdfast/data', false)).toBe('the data folder of Holdfast');
  expect(places.holderOf('/srv/holdfast/data', true)).toBeNull();
  expect(places.holderOf('/srv/holdfast', true)).toBeNull();
  expect(places.holderOf('/srv/other', false)).toBeNull();
});

test('recognises a reserved folder under another name', () => {
  expect(places.aliasOf('/mnt/same', '1:10')).toBe('the data folder of Holdfast');
  expect(places.aliasOf('/srv/holdfast/data', '1:10')).toBeNull();
  expect(places.aliasOf('/mnt/other', '1:11')).toBeNull();
});
