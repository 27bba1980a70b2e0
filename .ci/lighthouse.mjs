import '../server/launch/node-version.mjs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, ROOT } from '../server/launch/build.mjs';
import { ensureChromium } from './chromium.mjs';

// `npm run lighthouse -- --runs 3`: measures the built product in Chromium; fails below a score of 95.
const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' } } });
const { path, advice } = ensureChromium();
if (!/^[1-9]\d?$/.test(values.runs)) fail('--runs must be a number from 1 to 99.');
else if (!path) fail(advice);
else if (!(await prepare({ development: true }))) process.exitCode = 1;
else {
  const { status } = spawnSync(
    join(ROOT, 'node_modules', '.bin', 'playwright'),
    ['test', '--config', 'e2e/lighthouse.config.ts'],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, CHROMIUM_PATH: path, LIGHTHOUSE_RUNS: values.runs } },
  );
  process.exitCode = status ?? 1;
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
