import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether a folder is on the file system of a data directory or of its database, which a link may name. */
export async function isOnDiskOfData(folder: string, dataDir: string): Promise<boolean> {
  const device = await deviceOf(folder);
  const devices = await Promise.all([dataDir, join(dataDir, 'postgres')].map(deviceOf));
  return device !== null && devices.includes(device);
}

/** Null if there is no such file. */
const deviceOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ dev }) => dev,
    () => null,
  );
