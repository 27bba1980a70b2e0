/**
 * The packages that some package in a lockfile wants but that have no entry in it.
 * @param {{ packages: Record<string, { dev?: boolean, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }> }} lock
 * @returns {{ name: string, version: string, dev: boolean }[]}
 */
export function missingFrom({ packages }) {
  const missing = new Map();
  for (const [path, { dependencies, optionalDependencies, dev = false }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      if (isReachable(packages, path, name)) continue;
      missing.set(name, { name, version, dev: dev && (missing.get(name)?.dev ?? true) });
    }
  }
  return [...missing.values()];
}

/** Node looks beside a package and in every folder above it. */
function isReachable(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder}${folder && '/'}node_modules/${name}`]) return true;
    if (folder === '') return false;
    if (!folder.includes('/node_modules/')) folder = '';
  }
}
