import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { relayerKeyFiles } from '../server/platform/data-folder/key-files.ts';

const UNIT = 'deploy/systemd/perpetua.service';
const textOf = (file: string): string => readFileSync(file, 'utf8');

const WITH_SETTINGS = [
  UNIT,
  'deploy/Containerfile',
  'deploy/compose.yaml',
  'deploy/compose/perpetua.env.example',
  'deploy/cluster/perpetua.env.example',
  'deploy/kubernetes/base/config.yaml',
  'deploy/kubernetes/overlays/production/addresses.yaml',
];
/** Variables of Node, Next, PostgreSQL's image and deploy/compose/start-database.sh. */
const OTHER = /^(NODE_|NEXT_|POSTGRES_|Environment|SELF$|PRIMARY$)/;

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
  const built = textOf('server/launch/build.mjs');
  const files = [UNIT, 'deploy/Containerfile', 'deploy/kubernetes/command.yaml'];
  const programs = files.flatMap((file) => [...textOf(file).matchAll(/\.build\/server\/([\w-]+)\.js/g)]);
  expect(new Set(programs.map(([, name]) => name))).toEqual(new Set(['main', 'migrate']));
  for (const [, name] of programs) expect(built).toMatch(new RegExp(`'(server|commands)/${name}\\.ts'`));
});

test('perpetua-run gives a command the settings and keys that the unit gives the service', () => {
  const [unit, script] = [textOf(UNIT), textOf('deploy/systemd/perpetua-run')];
  const credentials = [...unit.matchAll(/^(?:LoadCredential|EnvironmentFile|StateDirectory)=.+$/gm)].map(
    ([line]) => line,
  );
  expect(credentials.length).toBeGreaterThan(5);
  expect(credentials.filter((line) => !script.includes(`--property=${line} `))).toEqual([]);
  const settings = unit
    .match(/[A-Z_]+=(?:%d)?\/\S+/g)
    ?.map((setting) => setting.replace(/=%d(.+)$/, '="$CREDENTIALS_DIRECTORY$1"'));
  expect(settings?.filter((setting) => !script.includes(setting))).toEqual([]);
  const variables = [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) => line.split(' '));
  const constants = variables.filter((variable) => !variable.includes('%d'));
  expect(constants).toEqual(expect.arrayContaining(['HOST=127.0.0.1', 'NODE_ENV=production']));
  expect(constants.filter((variable) => !script.includes(`--setenv=${variable} `))).toEqual([]);
});

test.each(['', 'cap_net_bind_service cap_chown'])(
  'perpetua-run passes the capabilities of the unit: "%s"',
  (ofUnit) => {
    const bin = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-run-`));
    writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\necho '${ofUnit}'\n`, { mode: 0o755 });
    writeFileSync(join(bin, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const { stdout, stderr } = spawnSync('sh', ['deploy/systemd/perpetua-run', 'doctor', '--json'], {
      env,
      encoding: 'utf8',
    });
    rmSync(bin, { recursive: true });
    const args = stdout.split('\n');
    const passed = args.filter((arg) => arg.startsWith('--property=AmbientCapabilities'));
    expect(passed, stderr).toEqual(ofUnit ? [`--property=AmbientCapabilities=${ofUnit}`] : []);
    expect(args.slice(-4)).toEqual(['sh', '.build/server/doctor.js', '--json', '']);
  },
);

test('what compose reads as a secret, and the keys of the document, are in neither the repository nor the image', () => {
  const read = textOf('deploy/compose.yaml').match(/(?<=\.\/)secrets(?=\/)|(?<=env_file: \[)\S+(?=\])/g);
  expect(new Set(read)).toEqual(new Set(['secrets', 'perpetua.env']));
  const keys = ['*.key', '*.key.*', 'wallet.json'];
  const ignored = ['/deploy/secrets/', '*.env', ...keys];
  expect(textOf('.gitignore').split('\n')).toEqual(expect.arrayContaining(ignored));
  for (const file of ['.dockerignore', '.containerignore']) {
    expect(textOf(file).split('\n')).toEqual(expect.arrayContaining(['deploy', '**/*.env', ...keys]));
  }
});

test('in compose and in podman the next relayer key has a place of its own, beside the current one', () => {
  const current = /RELAYER_KEY_FILE: (\S+)/.exec(textOf('deploy/compose.yaml'))?.[1];
  const { next } = relayerKeyFiles({ RELAYER_KEY_FILE: current, DATA_DIR: '/data' });
  const secrets = textOf('deploy/compose/next-relayer-key.yaml');
  expect(secrets).toContain(`{ source: next_relayer_key, target: ${basename(next)} }`);
  expect(secrets).toContain('next_relayer_key: { file: ./secrets/relayer.key.next }');
  expect(textOf('docs/deployment.md')).toContain('podman secret create relayer.key.next relayer.key.next');
});

test('the tag of the image in compose is a setting, so that two versions exist side by side', () => {
  expect(textOf('deploy/compose.yaml')).toMatch(/image: 'perpetua:\$\{PERPETUA_TAG:-latest\}'/);
  expect(textOf('docs/deployment.md').match(/echo PERPETUA_TAG=\S+ >> deploy\/\.env/g)).toHaveLength(2);
});

test('the image sets the variable `container`, which the doctor reads', () => {
  expect(textOf('deploy/Containerfile')).toMatch(/^ENV .*\bcontainer=oci\b/m);
});

test('in compose nothing waits for a database that may be gone, and a former primary does not start', () => {
  const needed = [...textOf('deploy/compose.yaml').matchAll(/depends_on:((?:\n {6}.+)+)/g)].map(([, names]) =>
    names?.trim(),
  );
  expect(needed).toEqual(['redis: { condition: service_healthy }']);
  const PGDATA = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-former-`));
  writeFileSync(join(PGDATA, 'PG_VERSION'), '18\n');
  const env = { ...process.env, PGDATA, SELF: 'db1', PRIMARY: 'db2' };
  const former = spawnSync('bash', ['deploy/compose/start-database.sh'], { env, encoding: 'utf8' });
  rmSync(PGDATA, { recursive: true });
  expect([former.status, former.stderr]).toEqual([1, expect.stringContaining('db1 has the data of a former primary')]);
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
  for (const file of ['base/deployment', 'command']) {
    const text = textOf(`deploy/kubernetes/${file}.yaml`);
    for (const line of [
      'runAsNonRoot: true',
      'readOnlyRootFilesystem: true',
      'drop: [ALL]',
      'secretRef:',
      '/secrets,',
    ]) {
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
