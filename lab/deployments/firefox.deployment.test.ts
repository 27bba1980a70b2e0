import { expect, test } from 'vitest';
import { requirePackages } from '../../server/launch/debian.mjs';
import { runProgram } from './run-program.ts';

test('the tests of a new user and of guardians pass in Firefox ESR', async () => {
  requirePackages('firefox-esr');
  const version = await runProgram('firefox-esr', ['--version']);
  const output = await runProgram('npx', ['playwright', 'test', '--config', 'e2e/firefox.config.ts']);
  console.log(version + output.slice(output.lastIndexOf('\n\n')));
  expect(Number(/\n\s+(\d+) passed/.exec(output)?.[1])).toBeGreaterThan(60);
});
