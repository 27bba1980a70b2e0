import { expect, test } from 'vitest';
import { contactProblem } from './contact-problem.ts';

test.each([
  ['https://api.example.org/v1', null],
  ['http://api.example.org', 'notHttps'],
  ['api.example.org', 'notHttps'],
  ['https://name:secret@example.org', 'credentials'],
  ['https://localhost/hook', 'local'],
  ['https://192.168.1.1/hook', 'local'],
  ['https://exa mple.org', 'url'],
  [`https://example.org/${'x'.repeat(500)}`, 'bad'],
])('the problem of %s is %s', async (url, problem) => {
  expect(await contactProblem(url)).toBe(problem);
});
