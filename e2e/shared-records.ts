import { randomUUID } from 'node:crypto';
import { type Client, createClient } from '../client/client.ts';
import { generateKey, type Signer } from '../client/keys.ts';
import type { NewShare } from '../client/shares.ts';
import type { Api } from './api.ts';
import { newClientAddress } from './fixtures.ts';
import { healthRecord } from './health-records.ts';

export const LABORATORY = 'Northern Laboratory';

export interface SharedRecords {
  readonly client: Client;
  readonly beoId: string;
  readonly domain: string;
  readonly key: Signer;
  /** The FHIR export of all records. */
  readonly bundle: Bundle;
  /** Makes a share of a Bundle, by default of all records. @returns the link */
  share(content?: Bundle, more?: Partial<NewShare>): Promise<string>;
}

export interface Bundle {
  readonly entry: readonly { readonly fullUrl: string; readonly resource: Resource }[];
}
export type Resource = { readonly resourceType: string; readonly id: string; readonly [member: string]: unknown };

/** A client of the product, whose requests come from different addresses. */
export const clientOf = (url: string): Client =>
  createClient({
    url,
    fetch: (address, init) => fetch(address, { ...init, headers: { ...init?.headers, ...newClientAddress() } }),
  });

/** A holder with records that a certified laboratory submitted, in two entries, and their export. */
export async function newSharedRecords(url: string, api: Api): Promise<SharedRecords> {
  const client = clientOf(url);
  const [key, lab] = [generateKey(), generateKey()];
  const newDomain = () => `e2e-${randomUUID().slice(0, 18)}.bsp`;
  const domain = newDomain();
  const { beo_id: beoId } = await client.createBEO({ domain, publicKey: key.publicKey, recovery: null }, { key });
  const registered = {
    domain: newDomain(),
    ieoType: 'LAB',
    displayName: LABORATORY,
    publicKey: lab.publicKey,
  } as const;
  const { ieo_id: ieoId } = await client.createIEO(registered, { key: lab });
  await api.certify(ieoId, { level: 'ADVANCED', intents: ['SUBMIT_RECORD'] });
  const grant = async (grantee: string, intents: readonly ('SUBMIT_RECORD' | 'READ_RECORDS' | 'EXPORT_DATA')[]) => {
    const scope = { intents: [...intents], categories: ['*'] as ['*'] };
    return (await client.grantConsent({ beoId, ieoId: grantee, scope, expiresInDays: 30 }, { key })).entry.entityId;
  };
  const consentToken = await grant(ieoId, ['SUBMIT_RECORD']);
  const pressure = { biomarker: 'BSP-DV-005', unit: 'mmHg', ref_range: null };
  for (const records of [
    [healthRecord(18.4, '2025-01-10'), healthRecord('36.0', '2025-06-10'), healthRecord(42, '2026-01-10')],
    [
      healthRecord({ systolic: 132, diastolic: 84 }, '2026-02-10', pressure),
      healthRecord('e3/e4', '2026-02-10', { biomarker: 'BSP-GN-001', unit: 'genotype', ref_range: null }),
    ],
  ])
    await client.submitRecords({ targetBeo: beoId, consentToken, records: records as never }, { key: lab });
  const own = await grant(beoId, ['READ_RECORDS', 'EXPORT_DATA']);
  const { data } = await client.sovereignExport({ targetBeo: beoId, consentToken: own, format: 'FHIR_R4' }, { key });
  const bundle: Bundle = JSON.parse(data);
  return {
    client,
    beoId,
    domain,
    key,
    bundle,
    async share(content = bundle, more = {}) {
      const files = [{ contentType: 'application/fhir+json', content: JSON.stringify(content) } as const];
      const given = { beoId, label: 'For a test', files, viewer: `${url}/view#`, ...more };
      return (await client.createShare(given, { key })).link;
    },
  };
}

/** A copy of a Bundle, of which every resource may be changed or, with null, left out. */
export const withChanges = (bundle: Bundle, change: (resource: Resource) => Resource | null): Bundle => ({
  ...bundle,
  entry: bundle.entry.flatMap(({ fullUrl, resource }) => {
    const changed = change(resource);
    return changed ? [{ fullUrl, resource: changed }] : [];
  }),
});
