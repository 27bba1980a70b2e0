import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../server/testing/test-service.ts';
import { type Client, createClient } from './client.ts';
import { newHolder } from './test-story.ts';

/** What is used of kill-the-clipboard, whose own types need another package. */
interface OtherImplementation {
  readonly SHLViewer: new (given: {
    shlinkURI: string;
  }) => {
    resolveSHL(given: {
      recipient: string;
      passcode?: string;
      embeddedLengthMax?: number;
    }): Promise<{ readonly fhirResources: readonly object[] }>;
  };
  readonly SHL: { generate(given: { baseManifestURL: string; manifestPath: string; flag?: string }): OtherLink };
  readonly SHLManifestBuilder: new (given: {
    shl: OtherLink;
    uploadFile(content: string): Promise<string>;
    getFileURL(path: string): Promise<string>;
    loadFile(path: string): Promise<string>;
  }) => {
    addFHIRResource(given: { content: object; enableCompression: boolean }): Promise<unknown>;
    buildManifest(given: { embeddedLengthMax?: number }): Promise<object>;
  };
}
interface OtherLink {
  toURI(): string;
}

const PACKAGE: string = 'kill-the-clipboard';
const BUNDLE = { resourceType: 'Bundle', type: 'collection', entry: [{ resource: { resourceType: 'Patient' } }] };
const FILE = { contentType: 'application/fhir+json', content: JSON.stringify(BUNDLE) } as const;

let other: OtherImplementation;
let service: TestService;
let client: Client;
beforeAll(async () => {
  other = await import(PACKAGE);
  service = await startTestService();
  client = createClient({ url: service.url });
});
afterAll(() => service.stop());

const openedByOther = async (link: string, given: { passcode?: string; embeddedLengthMax?: number } = {}) =>
  (await new other.SHLViewer({ shlinkURI: link }).resolveSHL({ recipient: 'Another viewer', ...given })).fhirResources;

test('another implementation opens our links: embedded, at an address, with a passcode, directly', async () => {
  const { beoId, key } = await newHolder(client);
  const share = { beoId, label: 'x', files: [FILE, FILE] };
  const { link } = await client.createShare({ ...share, viewer: 'https://viewer.example/#' }, { key });
  expect(await openedByOther(link)).toEqual([BUNDLE, BUNDLE]);
  expect(await openedByOther(link, { embeddedLengthMax: 10 })).toEqual([BUNDLE, BUNDLE]);
  const { link: hidden } = await client.createShare({ ...share, passcode: 'abacate' }, { key });
  expect(await openedByOther(hidden, { passcode: 'abacate' })).toEqual([BUNDLE, BUNDLE]);
  await expect(openedByOther(hidden, { passcode: 'x' })).rejects.toMatchObject({ name: 'SHLInvalidPasscodeError' });
  const { link: direct } = await client.createShare({ ...share, files: [FILE], direct: true }, { key });
  expect(await openedByOther(direct)).toEqual([BUNDLE]);
  const [last] = (await client.listShares({ beoId }, { key })).shares;
  expect(last?.openings).toMatchObject([{ recipient: 'Another viewer' }]);
  await client.stopShare({ beoId, shareId: last?.share_id ?? '' }, { key });
  await expect(openedByOther(direct)).rejects.toThrow();
});

test('our client opens the links of another implementation', async () => {
  const files = new Map<string, string>();
  let manifest: object = {};
  const server = createServer((request, response) => {
    const file = files.get(request.url?.slice(1) ?? '');
    response.writeHead(200, { 'content-type': file ? 'application/jose' : 'application/json' });
    response.end(file ?? JSON.stringify(manifest));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shl = other.SHL.generate({ baseManifestURL: origin, manifestPath: '/m' });
  const builder = new other.SHLManifestBuilder({
    shl,
    async uploadFile(content) {
      const path = `file-${files.size}`;
      files.set(path, content);
      return path;
    },
    getFileURL: async (path) => `${origin}/${path}`,
    loadFile: async (path) => files.get(path) ?? '',
  });
  for (const enableCompression of [true, false]) await builder.addFHIRResource({ content: BUNDLE, enableCompression });
  for (const embeddedLengthMax of [0, 100_000]) {
    manifest = await builder.buildManifest({ embeddedLengthMax });
    const opened = await client.openShare(shl.toURI(), { recipient: 'A clinic' });
    expect(opened.map(({ content }) => JSON.parse(content))).toEqual([BUNDLE, BUNDLE]);
  }
  server.close();
});
