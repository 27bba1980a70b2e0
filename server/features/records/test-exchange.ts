import { expect } from 'vitest';
import { parseRecordProblem } from '../../../protocol/records/record-problems.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { Answer, SignedBody, TestApi, TestService } from '../../testing/test-service.ts';
import { type Fields, type Parties, type Party, partiesOf } from '../../write/test-parties.ts';

export const SUBMIT = '/api/exchange/records';
export const EXPORT = '/api/exchange/export';
export const ACCESS = '/api/exchange/access';

export const DAY = 24 * 3_600_000;

/** A scope with every operation of the exchange and every category. */
export const EVERYTHING = { intents: ['SUBMIT_RECORD', 'READ_RECORDS', 'EXPORT_DATA'], categories: ['*'] };

/** The widest scope of a self token. */
export const OWN = { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['*'] };

/** A measurement as a laboratory sends it. */
export const measurement = (more: Fields = {}): Fields => ({
  biomarker: 'BSP-CV-001',
  value: 87.5,
  unit: 'mg/dL',
  collected_at: '2026-03-04T05:06:07.000Z',
  ...more,
});

/** `count` measurements, one minute apart, with their index as value. */
export const measurements = (count: number, more: (index: number) => Fields = () => ({})): Fields[] =>
  Array.from({ length: count }, (_, index) =>
    measurement({
      value: index,
      collected_at: new Date(Date.UTC(2026, 2, 4) + index * 60_000).toISOString(),
      ...more(index),
    }),
  );

/** Fails unless the response reports exactly these records as invalid. Protocol §5. */
export function expectInvalid({ status, body }: Answer, count: number, records: readonly object[]): void {
  expect([status, body.code]).toEqual([422, 'RECORD_INVALID']);
  expect(body.details).toEqual({ records });
  for (const { message } of body.details.records) expect([message, parseRecordProblem(message)]).not.toContain(null);
  const bad = new Set(records.map((record) => (record as { index: number }).index)).size;
  expect(body.error.match(/\d+/g)?.map(Number).toSorted()).toEqual([bad, count].toSorted());
}

/** A request with a token: who signs it, and whose records it concerns. */
export interface TokenUse {
  readonly by: Pick<Party, 'person'>;
  readonly holder: Pick<Party, 'id'>;
  readonly tokenId: string;
}

export interface ConsentParties extends TokenUse {
  readonly by: Party;
  readonly holder: Party;
}

export type Exchange = ReturnType<typeof exchangeOf>;

/** Clients that exchange records over HTTP. `now` is their clock, in ms since 1970. */
export function exchangeOf(service: TestApi, now: () => number = Date.now) {
  const parties: Parties = partiesOf(service, now);

  const signed = (use: TokenUse, functionName: string, fields: Fields = {}): SignedBody =>
    parties.sign(use.by.person, functionName, {
      targetBeo: use.holder.id,
      consentToken: use.tokenId,
      ...fields,
    });

  const submission = (use: TokenUse, records: Json, more: Fields = {}): SignedBody =>
    signed(use, 'submitRecords', { records, ...more });

  const submit = (use: TokenUse, records: Json, more: Fields = {}): Promise<Answer> =>
    service.post(SUBMIT, submission(use, records, more));

  /** Submits records that must be accepted. @returns the response */
  async function submitted(use: TokenUse, records: Json) {
    const { status, body } = await submit(use, records);
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }

  const query = (body: Fields, filters: Record<string, string | number> = {}): string => {
    const all = [...Object.entries(body), ...Object.entries(filters)];
    return `${SUBMIT}?${new URLSearchParams(all.map(([name, value]) => [name, String(value)]))}`;
  };

  const read = (use: TokenUse, filters: Record<string, string | number> = {}): Promise<Answer> =>
    service.get(query(signed(use, 'readRecords'), filters));

  /** Reads a page that must succeed. @returns the page */
  async function page(use: TokenUse, filters: Record<string, string | number> = {}) {
    const { status, body } = await read(use, filters);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  const exportAs = (use: TokenUse, format: string): Promise<Answer> =>
    service.post(EXPORT, signed(use, 'sovereignExport', { format }));

  /** Requests an export that must succeed. @returns the document */
  async function exported(use: TokenUse, format: string): Promise<string> {
    const { status, body } = await exportAs(use, format);
    expect(status, JSON.stringify(body).slice(0, 1_000)).toBe(200);
    expect(body.format).toBe(format);
    return body.data;
  }

  const listAccess = (holder: Pick<Party, 'id'>, by: Pick<Party, 'person'>, more: Fields = {}): Promise<Answer> =>
    service.post(ACCESS, parties.sign(by.person, 'listAccess', { beoId: holder.id, ...more }));

  /** The access events that the holder reads. */
  async function accessEvents(holder: Party) {
    const { status, body } = await listAccess(holder, holder);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.events;
  }

  /** Grants an institution a token of a holder; creates each of the two unless given. */
  async function newConsent(
    scope: Json = EVERYTHING,
    { holder, by, expiresInDays = null }: { holder?: Party; by?: Party; expiresInDays?: number | null } = {},
  ): Promise<ConsentParties> {
    const [owner, grantee] = await Promise.all([holder ?? parties.newHolder(), by ?? parties.newInstitution()]);
    const { token_id } = await parties.granted(owner, grantee.id, scope, expiresInDays);
    return { by: grantee, holder: owner, tokenId: token_id };
  }

  /** A holder's token for itself. */
  const newSelfConsent = (holder: Party, scope: Json = OWN): Promise<ConsentParties> =>
    newConsent(scope, { holder, by: holder });

  return {
    parties,
    signed,
    submission,
    submit,
    submitted,
    query,
    read,
    page,
    exportAs,
    exported,
    listAccess,
    accessEvents,
    newConsent,
    newSelfConsent,
  };
}

/** Gives a token a scope that an earlier version allowed and this one forbids. */
export async function withOldScope(
  { service }: TestService,
  use: ConsentParties,
  scope: Fields,
): Promise<ConsentParties> {
  const { rowCount } = await service.context.pool.query('UPDATE tokens SET scope = scope || $2::jsonb WHERE id = $1', [
    use.tokenId,
    JSON.stringify(scope),
  ]);
  expect(rowCount).toBe(1);
  return use;
}
