import { describe, expect, it } from 'vitest';
import { scenariosFor } from './scenarios.ts';
import { readSettings } from './settings.ts';

const selected = (...args: string[]) => scenariosFor(readSettings(args)).map(({ name }) => name);

describe('--only', () => {
  it('selects the scenarios whose names contain a text, and not regression, which installs another version', () => {
    expect(selected('--only', 'many')).toEqual(['many-identities']);
    expect(selected()).toEqual(['start', 'idle', 'bare-loops', 'audit', 'many-identities']);
    expect(selected('--only', 'storage')).toEqual(['storage']);
  });

  it('selects loads that are compared with bare loops, or with another checkout', () => {
    expect(selected('--only', 'submit')).toEqual(['bare-loops']);
    expect(selected('--against', '/before', '--only', 'submit')).toEqual(['regression']);
    expect(selected('--against', '/before')).toEqual(['regression']);
  });

  it('with a text that no name contains is an error with the names', () => {
    expect(() => selected('--only', 'webhooks')).toThrow(/^No name contains "webhooks"\. .*start; .*regression\.$/);
    expect(() => selected('--against', '/before', '--only', 'idle')).toThrow(/GET by id; .*verify\.$/);
  });

  it('regression compares with the reference commit or the checkout of --against, without rate limits', () => {
    expect(selected('--only', 'regression')).toEqual(['regression']);
    expect(selected('--only', 'regression', '--against', '/before')).toEqual(['regression']);
    expect(readSettings(['--only', 'regression'])).toMatchObject({ isComparison: true, rateLimits: false });
    expect(readSettings(['--only', 'regression', '--limits', 'on']).rateLimits).toBe(true);
    expect(readSettings([])).toMatchObject({ isComparison: false, rateLimits: true });
  });
});

it('--set passes settings to the service', () => {
  expect(readSettings(['--set', 'PROCESSES=2', '--set', 'PUBLIC_URL=http://a/?b=c']).service).toEqual({
    ...{ PROCESSES: '2', PUBLIC_URL: 'http://a/?b=c' },
  });
});
