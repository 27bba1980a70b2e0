import { describe, expect, test } from 'vitest';
import { checkUrl, TargetRefused } from './webhook-target.ts';

const RULES = { ports: [443], privateAddresses: false };

const problemOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(TargetRefused);
    return (error as TargetRefused).problem;
  }
  return 'none';
};

describe('a URL', () => {
  test.each([
    ['https://hooks.example.org/a?b=c', RULES, 'none'],
    ['https://hooks.example.org:443/', RULES, 'none'],
    ['https://hooks.example.org:8443/', RULES, 'PORT_NOT_ALLOWED'],
    ['https://hooks.example.org:8443/', { ...RULES, ports: [443, 8443] }, 'none'],
    ['https://hooks.example.org/', { ...RULES, ports: [8443] }, 'PORT_NOT_ALLOWED'],
    ['http://hooks.example.org/', RULES, 'URL_NOT_ALLOWED'],
    ['http://hooks.example.org/', { ...RULES, privateAddresses: true }, 'URL_NOT_ALLOWED'],
    ['https://user:secret@hooks.example.org/', RULES, 'URL_NOT_ALLOWED'],
    ['https://2130706433/', RULES, 'URL_NOT_ALLOWED'],
    ['https://0x7f.1/', RULES, 'URL_NOT_ALLOWED'],
    ['https://017700000001/', RULES, 'URL_NOT_ALLOWED'],
    ['https://127.0.0.1./', RULES, 'URL_NOT_ALLOWED'],
    ['https://[::ffff:7f00:1]/', RULES, 'URL_NOT_ALLOWED'],
    ['https://[64:ff9b::7f00:1]/', RULES, 'URL_NOT_ALLOWED'],
    ['https://localhost/', RULES, 'URL_NOT_ALLOWED'],
    ['https://hooks.localhost/', RULES, 'URL_NOT_ALLOWED'],
    ['file:///etc/passwd', RULES, 'URL_NOT_ALLOWED'],
    ['not a URL', RULES, 'URL_NOT_ALLOWED'],
  ])('%s with %o has the problem %s', async (url, rules, problem) => {
    expect(await problemOf(() => checkUrl(url, rules))).toBe(problem);
  });
});
