import type { Pool } from 'pg';
import { THRESHOLD } from '../../../protocol/entities/guardian.ts';
import type { CertLevel } from '../../../protocol/entities/ieo.ts';
import type { Decision } from '../../../protocol/entities/proposal.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { isUuid } from '../../../protocol/ids.ts';
import type { LedgerEntry } from '../../../protocol/ledger/entry.ts';
import type { JsonObject } from '../../../protocol/signing/message.ts';
import type { StatedCertification, StatedContacts } from '../../../protocol/stated-facts.ts';
import { parseTimestamp } from '../../../protocol/time.ts';
import { available } from '../../platform/db/pool.ts';
import { contentOf, type DecodedEntry, statedBy, textOf } from './decoded-entry.ts';

export interface StatedProposal {
  readonly decision: Decision;
  readonly ieoId: string;
  /** The seq of the approval that executed it; null if none has. */
  readonly executedBy: number | null;
}

/** The state before some entries, and what they refer to; null where that is unknown. */
export interface Context {
  proposal(entry: DecodedEntry): StatedProposal | null;
  certificationBefore(entry: DecodedEntry): StatedCertification | null;
  contactsBefore(entry: DecodedEntry): StatedContacts | null;
  /** How many guardians have confirmed the same request up to this entry; null if that is unknown. */
  confirmations(entry: DecodedEntry): number | null;
  /** Whether the identity was recovered at this entry or later; true if it was destroyed, which erases that. */
  isRecoveredSince(entry: DecodedEntry): boolean;
  /** The domain of an institution or an identity, by its domain or id. */
  domainOf(reference: string | null): string | null;
}

/** The entries of one entity that are searched for an earlier one. Its owner decides how many there are. */
const MAX_BACK = 100;

/** What an institution has at first. */
const NO_CERTIFICATION: StatedCertification = { level: 'UNCERTIFIED', until: null };
const NO_CONTACTS: StatedContacts = { api: null, webhook: null };

/** Reads the context of some entries, in at most five statements. */
export async function readContext(pool: Pool, entries: readonly DecodedEntry[]): Promise<Context> {
  const ofFunction = (...names: readonly string[]) => entries.filter(({ function: name }) => names.includes(name));
  const recoveries = ofFunction('confirmRecovery');
  const [proposals, domains, recovered, confirmed] = await available(() =>
    Promise.all([
      readProposals(pool, ofFunction('openProposal', 'approveProposal')),
      readDomains(pool, ofFunction('revokeAllFromIEO')),
      readRecoveredAt(pool, recoveries),
      readConfirmations(pool, recoveries),
    ]),
  );
  const institutionOf = ({ entity_id }: DecodedEntry) => proposals.get(entity_id)?.ieoId ?? entity_id;
  const certifying = entries.filter(
    ({ function: name, entity_id }) =>
      name === 'updateCertification' || proposals.get(entity_id)?.decision.action === 'changeCertLevel',
  );
  const [earlier, decided] = await available(() =>
    Promise.all([
      readEarlier(pool, [
        ...ofFunction('updateContacts').map(({ entity_id, seq }) => ({ id: entity_id, seq, of: 'updateContacts' })),
        ...certifying.map((entry) => ({ id: institutionOf(entry), seq: entry.seq, of: 'updateCertification' })),
      ]),
      readDecided(
        pool,
        certifying.map((entry) => ({ id: institutionOf(entry), seq: entry.seq })),
      ),
    ]),
  );

  return {
    proposal: ({ entity_id }) => proposals.get(entity_id) ?? null,
    certificationBefore({ seq }) {
      const own = earlier.get(seq);
      const byProposal = decided.get(seq);
      if (byProposal && byProposal.seq > (own?.seq ?? 0)) return byProposal.certification;
      if (own?.content) return certificationIn(statedBy(own.content));
      return own?.isComplete ? NO_CERTIFICATION : null;
    },
    contactsBefore({ seq }) {
      const own = earlier.get(seq);
      if (own?.content) return contactsIn(statedBy(own.content));
      return own?.isComplete ? NO_CONTACTS : null;
    },
    confirmations: ({ seq }) => confirmed.get(seq) ?? null,
    isRecoveredSince: ({ entity_id, accepted_at }) => (recovered.get(entity_id) ?? '') >= accepted_at,
    domainOf: (reference) =>
      reference !== null && isUuid(reference) ? (domains.get(reference.toLowerCase()) ?? null) : reference,
  };
}

export const certificationIn = ({ level, expiresAt }: JsonObject): StatedCertification => ({
  level: level as CertLevel,
  until: instantOf(textOf(expiresAt)),
});

export const contactsIn = ({ apiEndpoint, webhookUrl }: JsonObject): StatedContacts => ({
  api: textOf(apiEndpoint),
  webhook: textOf(webhookUrl),
});

/** An instant as it was sent, in the form of the views. */
export function instantOf(text: string | null): Instant | null {
  const time = text === null ? null : parseTimestamp(text);
  return time === null ? null : new Date(time).toISOString();
}

async function readProposals(pool: Pool, entries: readonly DecodedEntry[]): Promise<Map<string, StatedProposal>> {
  if (entries.length === 0) return new Map();
  const { rows } = await pool.query<{ id: string; decision: Decision; ieo_id: string; executed: number | null }>({
    name: 'proposals-of-entries',
    text: `SELECT id::text, decision, ieo_id::text, CASE WHEN executed_at IS NOT NULL THEN seq END AS executed
      FROM proposals WHERE id = ANY ($1::uuid[])`,
    values: [entries.map(({ entity_id }) => entity_id)],
  });
  return new Map(
    rows.map(({ id, decision, ieo_id, executed }) => [id, { decision, ieoId: ieo_id, executedBy: executed }]),
  );
}

async function readDomains(pool: Pool, entries: readonly DecodedEntry[]): Promise<Map<string, string>> {
  const ids = entries.map(({ content }) => textOf(statedBy(content).ieoId) ?? '').filter(isUuid);
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<{ id: string; domain: string }>({
    name: 'domains-of-entries',
    text: `SELECT id::text, domain FROM ieos WHERE id = ANY ($1::uuid[])
      UNION ALL SELECT id::text, domain FROM beos WHERE id = ANY ($1::uuid[]) AND domain IS NOT NULL`,
    values: [ids],
  });
  return new Map(rows.map(({ id, domain }) => [id, domain]));
}

/** By identity: its last recovery, or its end. */
async function readRecoveredAt(pool: Pool, entries: readonly DecodedEntry[]): Promise<Map<string, Instant | null>> {
  if (entries.length === 0) return new Map();
  const { rows } = await pool.query<{ id: string; at: Instant | null; ended: Instant | null }>({
    name: 'recoveries-of-entries',
    text: `SELECT id::text, CASE WHEN status = 'DESTROYED' THEN updated_at END AS ended, recovery ->> 'recoveredAt' AS at
      FROM beos WHERE id = ANY ($1::uuid[])`,
    values: [entries.map(({ entity_id }) => entity_id)],
  });
  return new Map(rows.map(({ id, at, ended }) => [id, ended ?? at]));
}

/**
 * By the seq of a confirmation: how many guardians had confirmed the same request. Not known where that many entries of the
 * identity are not read; two are enough for a recovery.
 */
async function readConfirmations(pool: Pool, entries: readonly DecodedEntry[]): Promise<Map<number, number>> {
  if (entries.length === 0) return new Map();
  const newest = new Map<string, number>();
  for (const { entity_id: id, seq } of entries) newest.set(id, Math.max(seq, newest.get(id) ?? 0));
  const { rows } = await pool.query<{ id: string; seq: number; item: Buffer | null; place: number }>({
    name: 'confirmations-of-entities',
    text: `SELECT w.entity_id AS id, e.seq, e.place::int, CASE WHEN e.function = 'confirmRecovery' THEN e.item END AS item
      FROM unnest($1::text[], $2::bigint[]) AS w (entity_id, newest)
      CROSS JOIN LATERAL (SELECT seq, function, item, row_number() OVER (ORDER BY seq DESC) AS place FROM ledger_entries
        WHERE entity_id = w.entity_id AND seq <= w.newest ORDER BY seq DESC LIMIT ${MAX_BACK}) e
      WHERE e.function = 'confirmRecovery' OR e.place = ${MAX_BACK}`,
    values: [[...newest.keys()], [...newest.values()]],
  });
  const cut = new Set(rows.filter(({ place }) => place === MAX_BACK).map(({ id }) => id));
  const confirming = rows.flatMap(({ seq, item }) => (item ? [{ seq, content: contentOf(item) }] : []));
  return new Map(
    entries.flatMap(({ seq, entity_id: id, content }): [number, number][] => {
      const request = requestIn(content);
      const same = confirming.filter((one) => one.seq <= seq && requestIn(one.content) === request);
      const count = new Set(same.map((one) => one.content.signer)).size;
      return cut.has(id) && count < THRESHOLD ? [] : [[seq, count]];
    }),
  );
}

const requestIn = (content: LedgerEntry) => textOf(statedBy(content).requestId)?.toLowerCase();

interface Place {
  readonly id: string;
  readonly seq: number;
}

interface Earlier {
  readonly seq: number | null;
  readonly content: LedgerEntry | null;
  /** Whether all earlier entries of the entity were searched. */
  readonly isComplete: boolean;
}

/** By the seq of each place: the entry of the function `of` before it about the same entity. */
async function readEarlier(
  pool: Pool,
  places: readonly (Place & { readonly of: string })[],
): Promise<Map<number, Earlier>> {
  if (places.length === 0) return new Map();
  const { rows } = await pool.query<{ seq: number; searched: number; found: number | null; item: Buffer | null }>({
    name: 'earlier-entries',
    text: `SELECT w.seq, earlier.searched, earlier.found, e.item
      FROM unnest($1::text[], $2::bigint[], $3::text[]) AS w (entity_id, seq, function)
      CROSS JOIN LATERAL (SELECT count(*)::int AS searched, max(one.seq) FILTER (WHERE one.function = w.function) AS found
        FROM (SELECT seq, function FROM ledger_entries
          WHERE entity_id = w.entity_id AND seq < w.seq ORDER BY seq DESC LIMIT ${MAX_BACK}) one) earlier
      LEFT JOIN ledger_entries e ON e.seq = earlier.found`,
    values: [places.map(({ id }) => id), places.map(({ seq }) => seq), places.map(({ of }) => of)],
  });
  return new Map(
    rows.map(({ seq, searched, found, item }) => [
      seq,
      { seq: found, content: item && contentOf(item), isComplete: searched < MAX_BACK },
    ]),
  );
}

interface Decided {
  readonly seq: number;
  readonly certification: StatedCertification;
}

/** By the seq of each place: the change of a certification that the institute executed last before it. */
async function readDecided(pool: Pool, places: readonly Place[]): Promise<Map<number, Decided>> {
  if (places.length === 0) return new Map();
  const { rows } = await pool.query<{ seq: number; decided: number; params: JsonObject }>({
    name: 'decided-certifications',
    text: `SELECT w.seq, p.seq AS decided, p.params FROM unnest($1::uuid[], $2::bigint[]) AS w (ieo_id, seq)
      CROSS JOIN LATERAL (SELECT seq, decision -> 'params' AS params FROM proposals
        WHERE ieo_id = w.ieo_id AND executed_at IS NOT NULL AND seq < w.seq AND decision ->> 'action' = 'changeCertLevel'
        ORDER BY seq DESC LIMIT 1) p`,
    values: [places.map(({ id }) => id), places.map(({ seq }) => seq)],
  });
  return new Map(
    rows.map(({ seq, decided, params }) => [seq, { seq: decided, certification: certificationIn(params) }]),
  );
}
