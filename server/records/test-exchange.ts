import { expect } from 'vitest';
import { parseRecordProblem } from '../../protocol/records/record-problems.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import type { Answer, SignedBody, TestService } from '../test-service.ts';
import { type Fields, type Parties, type Party, partiesOf } from '../write/test-parties.ts';

export const SUBMIT = '/api/exchange/records';
export const EXPORT = '/api/exchange/export';
export const ACCESS = '/api/exchange/access';

export const DAY = 24 * 3_600_000;

/** A scope that allows everything the exchange has. */
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

/** `count` measurements, one minute apart. */
export const measurements = (count: number, more: (index: number) => Fields = () => ({})): Fields[] =>
  Array.from({ length: count }, (_, index) =>
    measurement({
      value: index,
      collected_at: new Date(Date.UTC(2026, 2, 4) + index * 60_000).toISOString(),
      ...more(index),
    }),
  );

/** Fails where an answer does not refuse a batch for exactly these of its records. Protocol §5. */
export function expectInvalid({ status, body }: Answer, count: number, records: readonly object[]): void {
  expect([status, body.code]).toEqual([422, 'RECORD_INVALID']);
  expect(body.details).toEqual({ records });
  for (const { message } of body.details.records) expect([message, parseRecordProblem(message)]).not.toContain(null);
  const bad = new Set(records.map((record) => (record as { index: number }).index)).size;
  expect(body.error.match(/\d+/g)?.map(Number).toSorted()).toEqual([bad, count].toSorted());
}

/** A party with a token, who signs with their key. */
export interface Use {
  readonly by: Pick<Party, 'person'>;
  readonly holder: Pick<Party, 'id'>;
  readonly tokenId: string;
}

export interface Relation extends Use {
  readonly by: Party;
  readonly holder: Party;
}

export type Exchange = ReturnType<typeof exchangeOf>;

/** Clients that exchange records over HTTP. `now` is their clock, in ms since 1970. */
export function exchangeOf(service: TestService, now: () => number = Date.now) {
  const parties: Parties = partiesOf(service, now);

  const signed = (use: Use, functionName: string, fields: Fields = {}): SignedBody =>
    parties.sign(use.by.person, functionName, {
      targetBeo: use.holder.id,
      consentToken: use.tokenId,
      ...fields,
    });

  const submission = (use: Use, records: Json, more: Fields = {}): SignedBody =>
    signed(use, 'submitRecords', { records, ...more });

  const submit = (use: Use, records: Json, more: Fields = {}): Promise<Answer> =>
    service.post(SUBMIT, submission(use, records, more));

  /** Submits records that must be accepted. @returns the response */
  async function submitted(use: Use, records: Json) {
    const { status, body } = await submit(use, records);
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }

  const query = (body: Fields, filters: Record<string, string | number> = {}): string => {
    const all = [...Object.entries(body), ...Object.entries(filters)];
    return `${SUBMIT}?${new URLSearchParams(all.map(([name, value]) => [name, String(value)]))}`;
  };

  const read = (use: Use, filters: Record<string, string | number> = {}): Promise<Answer> =>
    service.get(query(signed(use, 'readRecords'), filters));

  /** Reads a page that must succeed. @returns the page */
  async function page(use: Use, filters: Record<string, string | number> = {}) {
    const { status, body } = await read(use, filters);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  const take = (use: Use, format: string): Promise<Answer> =>
    service.post(EXPORT, signed(use, 'sovereignExport', { format }));

  /** Exports a document, which must succeed. @returns the document */
  async function taken(use: Use, format: string): Promise<string> {
    const { status, body } = await take(use, format);
    expect(status, JSON.stringify(body).slice(0, 1_000)).toBe(200);
    expect(body.format).toBe(format);
    return body.data;
  }

  const listAccess = (holder: Pick<Party, 'id'>, by: Pick<Party, 'person'>, more: Fields = {}): Promise<Answer> =>
    service.post(ACCESS, parties.sign(by.person, 'listAccess', { beoId: holder.id, ...more }));

  /** The access events that the holder reads. */
  async function accesses(holder: Party) {
    const { status, body } = await listAccess(holder, holder);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.events;
  }

  /** Grants an institution a token of a holder; creates either one if not given. */
  async function related(
    scope: Json = EVERYTHING,
    { holder, by, expiresInDays = null }: { holder?: Party; by?: Party; expiresInDays?: number | null } = {},
  ): Promise<Relation> {
    const [giver, taker] = await Promise.all([holder ?? parties.newHolder(), by ?? parties.newInstitution()]);
    const { token_id } = await parties.granted(giver, taker.id, scope, expiresInDays);
    return { by: taker, holder: giver, tokenId: token_id };
  }

  /** A holder's token for itself. */
  const selfRelated = (holder: Party, scope: Json = OWN): Promise<Relation> => related(scope, { holder, by: holder });

  /** Gives a token a scope that a later rule forbids, as granted by an earlier version. */
  async function grantedBefore(use: Relation, scope: Fields): Promise<Relation> {
    const { rowCount } = await service.service.context.pool.query(
      'UPDATE tokens SET scope = scope || $2::jsonb WHERE id = $1',
      [use.tokenId, JSON.stringify(scope)],
    );
    expect(rowCount).toBe(1);
    return use;
  }

  return {
    parties,
    grantedBefore,
    signed,
    submission,
    submit,
    submitted,
    query,
    read,
    page,
    take,
    taken,
    listAccess,
    accesses,
    related,
    selfRelated,
  };
}
