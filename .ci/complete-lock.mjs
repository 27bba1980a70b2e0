import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { missingFrom } from './missing-from-lock.mjs';

// npm leaves out of package-lock.json the packages for other platforms that it could not find while it made the file,
// and "npm ci" then refuses the file. Their versions are known: the package that wants them names them exactly.
const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));

for (const { name, version, dev } of missingFrom(lock)) {
  if (!/^\d+\.\d+\.\d+[-.\w]*$/.test(version)) throw new Error(`${name} is wanted as ${version}, which is not one version.`);
  lock.packages[`node_modules/${name}`] = { version, ...platformOf(name), ...(dev && { dev }), optional: true };
  console.log(`Added ${name} ${version}.`);
}
const { '': root, ...rest } = lock.packages;
lock.packages = { '': root, ...Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))) };
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);

function platformOf(name) {
  const words = name.split('/').at(-1).split('-');
  const pick = (...known) => known.filter((word) => words.includes(word));
  const os = pick('aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32');
  const cpu = pick('arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64');
  const libc = pick('gnu', 'gnueabihf').length > 0 ? ['glibc'] : pick('musl');
  if (cpu.length === 0) throw new Error(`The platform of ${name} cannot be read from its name.`);
  return { cpu, ...(libc.length > 0 && { libc }), ...(os.length > 0 && { os }) };
}
