import '../server/launch/node-version.mjs';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, ROOT } from '../server/build.mjs';
import { checkLockfile, isInstalled } from '../server/launch/install.mjs';

// `npm test`: everything, one after the other; a failure does not keep the rest from running.
const REPORTS = join(ROOT, '.build', 'test');
const total = { passed: 0, failed: 0 };

function count(name, { passed = 0, failed = 0, skipped = 0, code = 0 }) {
  const problems = [];
  if (passed + failed === 0) problems.push('ran no tests');
  if (skipped > 0) problems.push(`skipped ${skipped}`);
  if (code !== 0 && failed === 0) problems.push(`ended with exit code ${code}`);
  for (const problem of problems) console.error(`${name} ${problem}, which counts as failed.`);
  total.passed += passed;
  total.failed += failed + problems.length;
}

async function check(name, tool, ...args) {
  const code = await run(name, tool, args);
  count(name, code === 0 ? { passed: 1 } : { failed: 1 });
}

async function unit() {
  const report = join(REPORTS, 'vitest.json');
  const code = await run('Unit and integration', 'vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const {
    testResults = [],
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    numTodoTests = 0,
  } = read(report);
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  count('vitest', {
    passed: numPassedTests,
    failed: numFailedTests + brokenFiles.length,
    skipped: numPendingTests + numTodoTests,
    code,
  });
}

async function browser() {
  const { ensureChromium } = await import('./chromium.mjs');
  const { path, advice } = ensureChromium();
  if (!path) {
    console.error(advice);
    total.failed += 1;
    return;
  }
  const report = join(REPORTS, 'playwright.json');
  const code = await run('Browser', 'playwright', ['test', '--reporter=list,json'], {
    CHROMIUM_PATH: path,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  const { stats: { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = {}, errors = [] } = read(report);
  count('playwright', { passed: expected, failed: unexpected + flaky + errors.length, skipped, code });
}

/** Streams the tool's output and answers its exit code. */
function run(title, tool, args, env = {}) {
  console.log(`\n── ${title}`);
  const child = spawn(join(ROOT, 'node_modules', '.bin', tool), args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  const forward = (signal) => child.kill(signal);
  process.on('SIGTERM', forward);
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once('exit', (code) => {
      process.off('SIGTERM', forward);
      resolve(code ?? 1);
    });
  });
}

function read(report) {
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
  count('lockfile', accepted ? { passed: 1 } : { failed: 1 });
}

console.log('── Build');
count('build', (await prepare({ development: true })) ? { passed: 1 } : { failed: 1 });
if (isInstalled(ROOT, { development: true })) {
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  await lockfile();
  await check('Types', 'tsc', '--noEmit');
  await check('Lint', 'biome', 'check', '--error-on-warnings');
  await unit();
  await browser();
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
