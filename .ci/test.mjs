import '../server/launch/node-version.mjs';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { prepare, ROOT } from '../server/launch/build.mjs';
import { checkLockfile, isInstalled } from '../server/launch/install.mjs';

// `npm test`: runs every check; a failure does not stop the others. With --all (`npm run test:all`) also what takes
// long: the files named *.long.test.ts, the browser tests with @long in their title, and what protocol/test-amount.ts adds to
// other files. With --deployments (`npm run test:deployments`), optionally with names such as `systemd`, nothing but what is
// named *.deployment.test.ts: the files of deploy/ with the real programs.
const DEPLOYMENTS = process.argv.includes('--deployments');
if (DEPLOYMENTS) process.env.TEST_DEPLOYMENTS = 'true';
const ALL = process.argv.includes('--all');
if (ALL) process.env.TEST_IN_FULL = 'true';
const REPORTS = join(ROOT, '.build', 'test');
const total = { passed: 0, failed: 0 };
/** Printed again at the end of the output. */
const failures = [];

function count(name, { passed = 0, failed = 0, skipped = 0, code = 0, reasons = [] }) {
  const problems = [];
  if (passed + failed === 0) problems.push('ran no tests');
  if (skipped > 0) problems.push(`skipped ${skipped}`);
  if (code !== 0 && failed === 0) problems.push(`ended with exit code ${code}`);
  for (const problem of problems) failures.push(`${name} ${problem}, which counts as failed.`);
  failures.push(...reasons);
  total.passed += passed;
  total.failed += failed + problems.length;
}

async function check(name, tool, ...args) {
  const code = await run(name, tool, args);
  count(name, code === 0 ? { passed: 1 } : { failed: 1, reasons: [name] });
}

async function unit(title, projects, ...files) {
  const report = join(REPORTS, 'vitest.json');
  const code = await run(
    title,
    'vitest',
    [
      'run',
      ...projects.map((name) => `--project=${name}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...files,
    ],
    { live: true },
  );
  const {
    testResults = [],
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    numTodoTests = 0,
  } = readReport(report);
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const reasons = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => describeFailure(name, fullName, failureMessages.join('\n'))),
  );
  count('vitest', {
    passed: numPassedTests,
    failed: numFailedTests + brokenFiles.length,
    skipped: numPendingTests + numTodoTests,
    code,
    reasons: [...reasons, ...brokenFiles.map(({ name, message }) => describeFailure(name, 'could not run', message))],
  });
}

const unitTests = () => unit('Unit and integration', ['pure', 'service', ...(ALL ? ['long'] : [])]);

function deployments() {
  const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  return unit('Deployments', ['deployments'], ...names.map((name) => `${name}.deployment.test.ts`));
}

async function browser() {
  const { ensureChromium } = await import('./chromium.mjs');
  const { path, advice } = ensureChromium();
  if (!path) {
    count('playwright', { failed: 1, reasons: [advice] });
    return;
  }
  const report = join(REPORTS, 'playwright.json');
  const tests = ALL ? [] : ['--grep-invert', '@long'];
  const code = await run('Browser', 'playwright', ['test', '--reporter=list,json', ...tests], {
    env: { CHROMIUM_PATH: path, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  const {
    stats: { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = {},
    suites = [],
    errors = [],
  } = readReport(report);
  const specs = (suite) => [...suite.specs, ...(suite.suites ?? []).flatMap(specs)];
  const reasons = suites.flatMap(specs).flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName, results }) => {
        const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message));
        return describeFailure(`e2e/${file}`, `${title} (${projectName})`, messages.join('\n'));
      }),
  );
  count('playwright', {
    passed: expected,
    failed: unexpected + flaky + errors.length,
    skipped,
    code,
    reasons: [...reasons, ...errors.map(({ message }) => message)],
  });
}

const MESSAGE_LINES = 30;

function describeFailure(file, title, message = '') {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, MESSAGE_LINES);
  return [`${relative(ROOT, resolve(ROOT, file))}: ${title}`, ...lines.map((line) => `    ${line}`)].join('\n');
}

/**
 * Runs a tool and returns its exit code. Tools run at the same time: the output of one that is not `live` follows, in one
 * piece, when it has ended.
 */
function run(title, tool, args, { env = {}, live = false } = {}) {
  let output = '';
  const print = (text) => {
    if (live) process.stdout.write(text);
    else output += text;
  };
  print(`\n── ${title}\n`);
  const child = spawn(join(ROOT, 'node_modules', '.bin', tool), args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print);
  const forward = (signal) => child.kill(signal);
  process.on('SIGTERM', forward);
  return new Promise((resolve) => {
    const end = (code) => {
      process.off('SIGTERM', forward);
      process.stdout.write(output);
      resolve(code);
    };
    child.once('error', (error) => {
      print(`${error.message}\n`);
      end(1);
    });
    child.once('close', (code) => end(code ?? 1));
  });
}

function readReport(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return {};
  }
}

async function lockfile() {
  console.log('\n── Lockfile');
  const accepted = await checkLockfile(ROOT).then(
    () => true,
    (error) => void console.error(error.message),
  );
  count('lockfile', accepted ? { passed: 1 } : { failed: 1, reasons: ['Lockfile'] });
}

async function build() {
  console.log('\n── Build');
  count('build', (await prepare({ development: true })) ? { passed: 1 } : { failed: 1, reasons: ['Build'] });
}

const needsInstall = !isInstalled(ROOT, { development: true });
if (needsInstall) await build();
if (isInstalled(ROOT, { development: true })) {
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  const built = needsInstall ? Promise.resolve() : build();
  await (DEPLOYMENTS
    ? built.then(deployments)
    : Promise.all([
        lockfile(),
        check('Lint', 'biome', 'check', '--error-on-warnings'),
        // What starts the product waits for the build. Some of the long tests copy a build.
        ALL ? built.then(unitTests) : unitTests(),
        // The types need what the build generates. Tests wait for timers and processes, so that they run well beside each other.
        built.then(() => Promise.all([check('Types', 'tsc', '--noEmit'), browser()])),
      ]));
}
if (failures.length > 0) console.log(`\n── Failures\n${failures.join('\n')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
