import { describe, expect, it } from 'vitest';
import { type Candidate, pick } from '../src/pick.js';

const repository = (id: number, name: string): Candidate => ({
  ...{ kind: 'repository', id, name, detail: `/backups/${id}` },
});
const all = [
  repository(1, 'home'),
  repository(2, 'Photos'),
  repository(3, 'office'),
  repository(4, 'office'),
  repository(5, '2'),
];
const failure = (wanted: string, some = all) => {
  try {
    return pick(some, wanted, 'repository').name;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('pick', () => {
  it('finds a name, an id, and a name in another case', () => {
    expect(['home', '1', 'photos'].map((wanted) => pick(all, wanted, 'repository').id)).toEqual([1, 1, 2]);
  });
  it('prefers a name over an id', () => expect(pick(all, '2', 'repository').id).toBe(5));
  it('lists close names for an unknown one', () => {
    expect(failure('hoem')).toBe('No repository is called "hoem". Did you mean:\n  home');
    expect(failure('off')).toBe('No repository is called "off". Did you mean:\n  office');
  });
  it('lists all names when none is close and they are few', () => {
    expect(failure('mail')).toBe(
      'No repository is called "mail". Available:\n  home\n  Photos\n  office\n  2',
    );
    const many = Array.from({ length: 11 }, (_, at) => repository(at, `server-number-${at}`));
    expect(failure('mail', many)).toBe('No repository is called "mail".');
    expect(failure('mail', [])).toBe('No repository is called "mail".');
  });
  it('lists the choices for an ambiguous name', () => {
    expect(failure('office')).toBe(
      '"office" is ambiguous. Use the id.\n  repository 3 (/backups/3)\n  repository 4 (/backups/4)',
    );
    const schedule: Candidate = { kind: 'schedule', id: 9, name: 'home', detail: '0 2 * * *' };
    expect(failure('home', [...all, schedule])).toBe(
      '"home" is ambiguous. Add --repository or --schedule.\n  repository 1 (/backups/1)\n  schedule 9 (0 2 * * *)',
    );
  });
});
