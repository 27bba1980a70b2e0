import { spawnSync } from 'node:child_process';
import { ensure } from '../server/launch/debian.mjs';

/** The one on the PATH may be a Python without Debian's packages. */
const NAMES = ['python3', '/usr/bin/python3'];
const ADVICE =
  'The Python example needs python3 with the package "cryptography": install python3-cryptography, or run "pip install cryptography".';

/** A Python that can import cryptography, or null. */
const findPython = () =>
  NAMES.find(
    (name) => spawnSync(name, ['-c', 'import cryptography'], { stdio: 'ignore', timeout: 60_000 }).status === 0,
  ) ?? null;

/** Finds a Python, or installs Debian's as root. */
export const ensurePython = () => ensure(findPython, 'python3-cryptography', ADVICE);
