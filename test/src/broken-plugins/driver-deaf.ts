import type { BackupDriver } from '@holdfast/plugin-api/driver';

/** Takes no notice of the signal: a cancelled operation goes on, and only its promise is given up. */
export const deafDriver = (driver: BackupDriver): BackupDriver => ({
  ...driver,
  createArchive(target, input, options = {}) {
    const { signal, ...rest } = options;
    const result = driver.createArchive(target, input, rest);
    const given = new Promise<never>((_resolve, reject) => {
      const fail = () =>
        reject(Object.assign(new Error('cancelled'), { name: 'DriverError', kind: 'cancelled' }));
      signal?.addEventListener('abort', fail);
    });
    result.catch(() => {});
    return Promise.race([result, given]);
  },
});
