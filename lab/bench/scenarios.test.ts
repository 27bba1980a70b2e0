import { describe, expect, it } from 'vitest';
import { scenariosFor } from './scenarios.ts';
import { readSettings } from './settings.ts';

const selected = (...args: string[]) => scenariosFor(readSettings(args)).map(({ name }) => name);

describe('--only', () => {
  it('selects the scenarios whose names contain a text', () => {
    expect(selected('--only', 'create')).toEqual(['create-beo']);
    expect(selected().length).toBeGreaterThan(10);
  });

  it('with a text that no name contains is an error with the names', () => {
    expect(() => selected('--only', 'submit')).toThrow(/^No name contains "submit"\. .*create-beo; .*regression\.$/);
    expect(() => selected('--identities', '20000', '--only', 'submit')).toThrow(/^No name contains "submit"/);
  });

  it('selects the loads of a comparison', () => {
    expect(selected('--against', '/before', '--only', 'submit')).toEqual(['compare with /before']);
    expect(() => selected('--against', '/before', '--only', 'webhooks')).toThrow(/GET by id; .*verify\.$/);
  });

  it('regression compares with the reference commit or the checkout of --against, without rate limits', () => {
    expect(selected('--only', 'regression')).toEqual(['regression']);
    expect(selected('--only', 'regression', '--against', '/before')).toEqual(['regression']);
    expect(readSettings(['--only', 'regression'])).toMatchObject({ isComparison: true, rateLimits: false });
    expect(readSettings(['--only', 'regression', '--limits', 'on']).rateLimits).toBe(true);
    expect(readSettings([])).toMatchObject({ isComparison: false, rateLimits: true });
  });

  it('does not select regression among others, because it installs another version', () => {
    expect(selected()).not.toContain('regression');
  });
});
