import type {
  BackupDriver,
  OperationOptions,
  RepositoryContents,
  RepositoryTarget,
} from '@holdfast/plugin-api/driver';

export interface Contents {
  contents: RepositoryContents;
  /** The text of the key file to store; null without one. */
  keyFile: string | null;
  warnings: string[];
}

/** The target with its key file as the tool reads it, which was given as a text. Throws DriverError. */
export async function withKey(
  driver: Pick<BackupDriver, 'importKey'>,
  bare: RepositoryTarget,
  options: OperationOptions,
): Promise<RepositoryTarget> {
  const text = bare.keyFile;
  return text === null
    ? bare
    : { ...bare, keyFile: (await driver.importKey(bare, { text }, options)).value.keyFile };
}

/** What is in a repository that is not registered, with as few calls of the tool as possible. Throws DriverError. */
export async function contentsOf(
  driver: BackupDriver,
  bare: RepositoryTarget,
  options: OperationOptions,
): Promise<Contents> {
  const target = await withKey(driver, bare, options);
  const { keyFile } = target;
  if (driver.look) {
    const { value, warnings } = await driver.look(target, {}, options);
    return { contents: value, keyFile, warnings };
  }
  const opened = await driver.open(target, {}, options);
  const listed = await driver.listArchives(target, { checkpoints: true }, options);
  const archives = listed.value.map((archive) => ({ ...archive, commandLine: [] }));
  return {
    contents: { ...opened.value, archives },
    keyFile,
    warnings: [...opened.warnings, ...listed.warnings],
  };
}
