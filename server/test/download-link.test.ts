import { initContract } from '@ts-rest/core';
import { describe, expect, it } from 'vitest';
import { downloadedObject, linkRoutesOf, readDownloadLink } from '../src/http/downloads/download-link.js';

const archiveFile = '/api/archives/download?repository_id=1&archive=a&file_path=x%2Fy';
const objectOf = (url: string) => readDownloadLink(url).object;

describe('a download link', () => {
  it('names one object, however it is written', () => {
    const object = downloadedObject(
      '/api/archives/download',
      {},
      { archive: 'a', file_path: 'x/y', repository_id: '1', token: 'hf_x' },
    );
    expect(objectOf(archiveFile)).toBe(object);
    expect(objectOf('/API/archives/download/?file_path=x/y&archive=%61&repository_id=1')).toBe(object);
    expect(objectOf(`${archiveFile}&ticket=old&token=old`)).toBe(object);
    const log = downloadedObject('/api/backup/logs/:job_id/download', { job_id: '7' }, {});
    expect(objectOf('/api/backup/logs/%37/download')).toBe(log);
  });

  it('names another object by each of its parameters', () => {
    const urls = [
      archiveFile,
      archiveFile.replace('=1', '=2'),
      archiveFile.replace('=a', '=b'),
      archiveFile.replace('%2Fy', '%2Fz'),
      `${archiveFile}&archive=b`,
      '/api/backup/logs/1/download',
      '/api/backup/logs/2/download',
      '/api/restore/logs/1/download',
      '/api/repositories/check-jobs/1/logs/download',
    ];
    const objects = urls.map((url) => {
      try {
        return objectOf(url);
      } catch (error) {
        return String(error);
      }
    });
    expect(new Set(objects).size).toBe(urls.length);
  });

  it('says whether its route has to be confirmed', () => {
    const c = initContract();
    const access = { who: 'admin', tokenInQuery: true };
    const route = { method: 'GET', responses: {} } as const;
    const routes = linkRoutesOf(
      c.router({
        key: { ...route, path: '/api/key', metadata: { access: { ...access, confirm: 'always' } } },
        log: { ...route, path: '/api/log', metadata: { access } },
      }),
    );
    expect(readDownloadLink('/api/key', { routes }).confirm).toBe(true);
    expect(readDownloadLink('/api/log', { routes }).confirm).toBe(false);
  });

  it('gets the ticket, and loses any other', () => {
    const { withTicket } = readDownloadLink('/api/backup/logs/7/download?token=hf_secret&ticket=old');
    expect(withTicket('hft_new')).toBe('/api/backup/logs/7/download?ticket=hft_new');
    expect(readDownloadLink(archiveFile).withTicket('t')).toBe(
      '/api/archives/download?repository_id=1&archive=a&file_path=x%2Fy&ticket=t',
    );
  });

  it.each([
    'api/backup/logs/7/download',
    'http://other.example.org/api/backup/logs/7/download',
    '/api/backup/logs/7/download#x',
    '/api/backup/logs/ü/download',
    '/api/backup/logs/%E0%A4/download',
    '/api/repositories/1/keyfile',
    '/api/backup/jobs',
    '/api/backup/logs/x/download',
    '/api/archives/download?repository_id=1',
    '/api/archives/download?repository_id=1&archive=a&archive=b&file_path=x',
    '/%',
  ])('is refused as %s', (url) => {
    expect(() => readDownloadLink(url)).toThrow();
  });
});
