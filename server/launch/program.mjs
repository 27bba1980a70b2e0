import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of the first of these programs that is on the PATH or in /usr/sbin, or null. */
export function findProgram(names) {
  for (const name of names) {
    for (const folder of [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']) {
      if (folder && isExecutable(join(folder, name))) return join(folder, name);
    }
  }
  return null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
