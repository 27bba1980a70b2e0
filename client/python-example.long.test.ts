import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensurePython } from '../.ci/python.mjs';
import { OPERATIONS } from '../protocol/operations.ts';
import { canonicalJson, type Json } from '../protocol/signing/canonical-json.ts';
import { READ_WEBHOOK, WEBHOOK_FORMS } from '../protocol/signing/webhook-requests.ts';
import { startTestService, type TestService } from '../server/testing/test-service.ts';

const EXAMPLES = resolve('docs/examples');
let python: string;
let service: TestService;

beforeAll(async () => {
  const { path, advice } = ensurePython();
  if (path === null) throw new Error(advice);
  python = path;
  service = await startTestService({ LEDGER_ID_REQUIRED: 'true' });
});

afterAll(() => service?.stop());

test('the Python example signs and sends every kind of operation', async () => {
  const [first = '', second = ''] = service.instituteKeys;
  const child = spawn(python, [resolve(EXAMPLES, 'sign_everything.py'), service.url, first, second]);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe('');
  const sent = output.split('\n').map((line) => line.split(' ')[0]);
  const webhooks = [READ_WEBHOOK, ...Object.values(WEBHOOK_FORMS)];
  const names = [...OPERATIONS.map(({ name }) => name), ...webhooks.map((form) => form.function)];
  const unsent = names.filter((name) => !sent.includes(name));
  expect(unsent, 'docs/examples/sign_everything.py sends none of these').toEqual([]);
});

test('the Python example prints its usage if it is asked for it or called with other arguments', () => {
  const called = (...args: string[]) =>
    spawnSync(python, [resolve(EXAMPLES, 'sign_everything.py'), ...args], { encoding: 'utf8' });
  const usage = expect.stringMatching(
    /python3 sign_everything\.py http:\/\/localhost:3000 KEY1 KEY2\n[\s\S]*institute-keys\.json/,
  );
  expect(called('--help')).toMatchObject({ status: 0, stdout: usage, stderr: '' });
  for (const args of [[], [service.url], [service.url, 'a', 'b', 'c']]) {
    expect(called(...args)).toMatchObject({ status: 1, stdout: '', stderr: usage });
  }
});

/** The canonical JSON that Python makes of each JSON text; null where it refuses the value. */
function inPython(values: readonly string[]): (string | null)[] {
  const program = `
import json, sys
from perpetua import canonical_json
for line in sys.stdin:
    try:
        print(json.dumps(canonical_json(json.loads(line))))
    except ValueError:
        print("null")
`;
  const { stdout, stderr } = spawnSync(python, ['-c', program], {
    cwd: EXAMPLES,
    input: `${values.join('\n')}\n`,
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' },
  });
  expect(stderr).toBe('');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const isExact = (value: unknown): boolean => {
  if (typeof value === 'number')
    return !Object.is(value, -0) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
};

test('its canonical JSON is that of the protocol, also for numbers and names that Python writes and sorts differently', () => {
  const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false }).filter(isExact);
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isExact);
  const small = fc.double({ min: -1, max: 1, noNaN: true }).filter(isExact);
  const values = fc.sample(fc.oneof(json, number, small), { numRuns: 3_000, seed: 19 });
  values.push(1, 1e-7, 1.5e-7, 0.000001, 4.35, 123456789.125, 5e-324, {
    '\u{1f600}': 1,
    '\ufb33': 2,
    é: '\u007f\u2028',
  });
  const made = inPython(values.map((value) => JSON.stringify(value)));
  expect(made).toEqual(values.map((value) => canonicalJson(value as Json)));
  expect(inPython(['1.0', '1e-07', '[100.0,1E2]'])).toEqual(['1', '1e-7', '[100,100]']);
});

test('it refuses what other languages read or write differently', () => {
  const refused = ['-0.0', 'NaN', 'Infinity', '9007199254740993', '1e300', '"\\ud800"', '{"\\udfff":1}'];
  expect(inPython(refused)).toEqual(refused.map(() => null));
});
