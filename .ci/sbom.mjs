import { readFileSync, writeFileSync } from 'node:fs';

// `npm run sbom`: writes the packages that the service uses as CycloneDX 1.5 (ECMA-424), from package-lock.json. `npm sbom
// --omit dev` leaves out packages that a development package uses too.
const FILE = 'sbom.cdx.json';

/** npm's path of a package in the lockfile, such as `node_modules/a/node_modules/@b/c`, and the name at its end. */
const nameAt = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Package URL (purl): the scope is percent-encoded. */
const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function componentOf(path, { version, integrity, license, optional }) {
  const name = nameAt(path);
  const purl = purlOf(name, version);
  const [, sha512] = /^sha512-(\S+)/.exec(integrity ?? '') ?? [];
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    scope: optional ? 'optional' : 'required',
    ...(license && { licenses: [{ expression: license }] }),
    ...(sha512 && { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
  };
}

/** @param {{ name: string, version: string, packages: Record<string, any> }} lockfile version 3 */
export function sbomOf({ name, version, packages }, { now }) {
  const used = Object.entries(packages).filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional);
  const components = new Map(
    used.map(([path, entry]) => [purlOf(nameAt(path), entry.version), componentOf(path, entry)]),
  );
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: now.toISOString(),
      component: { type: 'application', 'bom-ref': purlOf(name, version), name, version, purl: purlOf(name, version) },
    },
    components: [...components.values()],
  };
}

if (process.argv[1]?.endsWith('sbom.mjs')) {
  const sbom = sbomOf(JSON.parse(readFileSync('package-lock.json', 'utf8')), { now: new Date() });
  writeFileSync(FILE, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`${sbom.components.length} packages were written to ${FILE}`);
}
