import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const UNIT = 'deploy/systemd/perpetua.service';
const textOf = (file: string): string => readFileSync(file, 'utf8');

const WITH_SETTINGS = [
  UNIT,
  'deploy/Containerfile',
  'deploy/compose.yaml',
  'deploy/compose/perpetua.env.example',
  'deploy/kubernetes/base/config.yaml',
  'deploy/kubernetes/overlays/production/addresses.yaml',
];
/** Variables of Node, Next and PostgreSQL's image. */
const OTHER = /^(NODE_|NEXT_|POSTGRES_|Environment)/;

test.each(WITH_SETTINGS)('%s sets only variables that exist', (file) => {
  const settings = new Set([...textOf('server/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name));
  const lines = textOf(file)
    .split('\n')
    .filter((line) => !/^\s*(#|ARG )/.test(line));
  const names = lines.flatMap((line) => line.match(/\b[A-Z][A-Z_]{3,}(?=[:=] ?['\w/%])/g) ?? []);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !settings.has(name) && !OTHER.test(name))).toEqual([]);
});

test('the files start only programs that the build makes', () => {
  const built = textOf('server/build.mjs');
  const files = [UNIT, 'deploy/Containerfile', 'deploy/compose.yaml', 'deploy/kubernetes/base/migrate.yaml'];
  const programs = files.flatMap((file) => [...textOf(file).matchAll(/\.build\/server\/([\w-]+)\.js/g)]);
  expect(new Set(programs.map(([, name]) => name))).toEqual(new Set(['main', 'migrate']));
  for (const [, name] of programs) expect(built).toMatch(new RegExp(`'server/(commands/)?${name}\\.ts'`));
});

test('the final stage of the container copies only paths that exist or are built', () => {
  const copied = [...textOf('deploy/Containerfile').matchAll(/^COPY --from=build (.+) \.\S*$/gm)]
    .flatMap(([, paths = '']) => paths.split(' '))
    .map((path) => path.replace('/app/', ''));
  expect(copied).toEqual(expect.arrayContaining(['.build', 'node_modules', 'public']));
  const generated = ['.build', 'node_modules'];
  expect(copied.filter((path) => !generated.includes(path) && !existsSync(path))).toEqual([]);
});

test('kustomize finds every manifest, and each is listed', () => {
  const base = 'deploy/kubernetes/base';
  const listed = [...textOf(`${base}/kustomization.yaml`).matchAll(/^ {2}- (\S+\.yaml)$/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(
    readdirSync(base)
      .filter((name) => name !== 'kustomization.yaml')
      .sort(),
  );
});

test('pods have all probes, no privileges and a read-only root; secrets are referenced, not included', () => {
  const deployment = textOf('deploy/kubernetes/base/deployment.yaml');
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) expect(deployment).toContain(`${probe}:`);
  expect(deployment).toMatch(/readinessProbe:\n\s+httpGet: \{ path: \/health/);
  expect(deployment).toMatch(/livenessProbe:\n\s+httpGet: \{ path: \/health/);
  for (const file of ['deployment', 'migrate']) {
    const text = textOf(`deploy/kubernetes/base/${file}.yaml`);
    for (const line of ['runAsNonRoot: true', 'readOnlyRootFilesystem: true', 'drop: [ALL]', 'secretRef:']) {
      expect(text).toContain(line);
    }
  }
  const manifests = readdirSync('deploy/kubernetes/base').map((name) => textOf(`deploy/kubernetes/base/${name}`));
  expect(manifests.filter((text) => /^kind: Secret$/m.test(text))).toEqual([]);
});

test('systemd, where it is installed, rates the exposure of the unit below 2.0', () => {
  const { error, stdout, stderr } = spawnSync('systemd-analyze', ['security', '--offline=true', UNIT], {
    encoding: 'utf8',
  });
  if (error) return;
  const exposure = /exposure level for perpetua\.service: ([\d.]+)/.exec(stdout)?.[1];
  expect(Number(exposure), stderr).toBeLessThan(2);
});

test('npm run sbom lists each package that the service uses once, with its digest, and none that only tests use', async () => {
  const { sbomOf } = await import('../.ci/sbom.mjs');
  const { components } = sbomOf(JSON.parse(textOf('package-lock.json')), { now: new Date(0) });
  const { dependencies, devDependencies } = JSON.parse(textOf('package.json'));
  const listed = new Map(components.map((component) => [component.name, component]));
  const digest = { alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) };
  for (const name of Object.keys(dependencies)) expect(listed.get(name)).toMatchObject({ name, hashes: [digest] });
  expect(['vitest', '@playwright/test'].filter((name) => name in devDependencies && listed.has(name))).toEqual([]);
  expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length);
});
