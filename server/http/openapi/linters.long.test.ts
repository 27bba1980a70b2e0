import { createConfig, lintFromString, loadConfig } from '@redocly/openapi-core';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import { testDocument } from './test-document.ts';

const document = testDocument();

/**
 * Each can also be read as `/api/beos/domain/{domain}`, `/api/ieos/domain/{domain}` or `/api/consent/history/{beo_domain}`; the service
 * then takes the one that it lists first. The specification fixes these, the certification and the feeds, and deployed clients the last
 * one (deployed-client.test.ts). The files of shares have no id of a share in their address, unlike `/api/shares/{id}/manifest`.
 */
const AMBIGUOUS = [
  '/paths/~1api~1beos~1{beoId}~1feed',
  '/paths/~1api~1ieos~1{ieoId}~1certification',
  '/paths/~1api~1ieos~1{ieoId}~1feed',
  '/paths/~1api~1consent~1{tokenId}~1verify',
  '/paths/~1api~1shares~1files~1{ticket}',
];

const problemsUnder = async (config: Awaited<ReturnType<typeof loadConfig>>): Promise<string[]> => {
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, location: [place] }) => `${ruleId} ${place?.pointer}`);
};

describe('the document', () => {
  test('passes the linter of Redocly with redocly.yaml, which only permits the ambiguous addresses', async () => {
    expect(await problemsUnder(await loadConfig({ configPath: 'redocly.yaml' }))).toEqual([]);
    const all = await problemsUnder(await createConfig({ extends: ['recommended'] }));
    expect(all.toSorted()).toEqual(AMBIGUOUS.map((place) => `no-ambiguous-paths #${place}`).toSorted());
  });

  test('passes all OpenAPI rules of Spectral but three that are not recommended', async () => {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'all']] });
    const problems = await spectral.run(JSON.parse(JSON.stringify(document)));
    expect(problems.map(({ code, path }) => `${code} ${path.join('/')}`).toSorted()).toEqual([
      // The document is the same for every operator, and grants no license.
      'contact-properties info/contact',
      'license-url info/license',
      // In the order of a first integration.
      'openapi-tags-alphabetical tags',
    ]);
  });
});
