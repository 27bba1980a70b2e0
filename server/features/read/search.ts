import type { Pool } from 'pg';
import { domainSyntaxProblem, normalDomain } from '../../../protocol/domains.ts';
import type { Beo } from '../../../protocol/entities/beo.ts';
import type { Readers } from '../../entities/readers.ts';
import type { Clock } from '../../platform/db/clock.ts';
import { available } from '../../platform/db/pool.ts';
import { findIeos } from './find-ieos.ts';
import { type NamedIeo, nameIeos } from './name-ieos.ts';
import { readIeoByReference } from './read-ieo.ts';

export type Match =
  | { readonly kind: 'identity'; readonly id: string; readonly domain: string; readonly status: Beo['status'] }
  /** An identity that had the domain and was destroyed; the domain has no other holder. */
  | { readonly kind: 'destroyed'; readonly id: string; readonly domain: string }
  | { readonly kind: 'institution'; readonly institution: NamedIeo }
  | { readonly kind: 'entry'; readonly id: string; readonly seq: number; readonly function: string };

export interface Found {
  /** The holder of the domain first, then the entry with the number, then institutions by name. */
  readonly matches: Match[];
  /** Whether more institutions match. */
  readonly hasMore: boolean;
  /** The typed number, if no entry has it yet, and the newest entry's. */
  readonly missing: { readonly seq: number; readonly newest: number } | null;
}

const NOTHING: Found = { matches: [], hasMore: false, missing: null };

interface Parts {
  readonly pool: Pool;
  readonly listPool: Pool;
  readonly readers: Readers;
  readonly clock: Clock;
  readonly suffix: string;
}

/** The longest text that is searched for. */
export const MAX_TYPED = 200;
const MAX_INSTITUTIONS = 20;

/**
 * Finds what a typed text may mean: a domain with or without the suffix, the number of an entry, an institution's name, a public
 * key in hex.
 */
export async function search(parts: Parts, typed: string): Promise<Found> {
  const text = typed.normalize('NFC').trim();
  if (text === '' || text.length > MAX_TYPED || /\p{Cc}/u.test(text)) return NOTHING;
  if (PUBLIC_KEY.test(text)) return { ...NOTHING, matches: await holdersOfKey(parts, text.toLowerCase()) };
  const number = numberIn(text);
  const isOnlyNumber = number !== null && SIGN.test(text);
  const [holder, entry, institutions] = await Promise.all([
    isOnlyNumber ? null : holderOf(parts, text),
    number === null ? null : entryWith(parts, number),
    isOnlyNumber ? [] : findIeos(parts, text, MAX_INSTITUTIONS + 1, { inactive: true }),
  ]);
  const others = institutions.filter(
    ({ ieo_id }) => holder?.kind !== 'institution' || holder.institution.ieo_id !== ieo_id,
  );
  const named = await nameIeos(parts, others.slice(0, MAX_INSTITUTIONS));
  return {
    matches: [
      holder,
      entry?.match ?? null,
      ...named.map((institution): Match => ({ kind: 'institution', institution })),
    ].filter((match) => match !== null),
    hasMore: others.length > MAX_INSTITUTIONS,
    missing: number !== null && entry !== null && number > entry.newest ? { seq: number, newest: entry.newest } : null,
  };
}

const PUBLIC_KEY = /^[0-9a-f]{64}$/i;
/** Several may have one key: rotateKey takes any valid key. */
const MAX_HOLDERS = 50;

/** The identities, then the institutions, that have a public key now; the oldest first. */
async function holdersOfKey(parts: Parts, publicKey: string): Promise<Match[]> {
  const { rows } = await available(() =>
    parts.pool.query<{ kind: 'BEO' | 'IEO'; id: string; domain: string; status: Beo['status'] }>({
      name: 'holders-of-key',
      text: `(SELECT 'BEO' AS kind, id, domain, status FROM beos WHERE public_key = $1 ORDER BY created_at LIMIT ${MAX_HOLDERS})
        UNION ALL
        (SELECT 'IEO' AS kind, id, domain, NULL FROM ieos WHERE public_key = $1 ORDER BY created_seq LIMIT ${MAX_HOLDERS})`,
      values: [publicKey],
    }),
  );
  const identities = rows.flatMap(({ kind, id, domain, status }): Match[] =>
    kind === 'BEO' ? [{ kind: 'identity', id, domain, status }] : [],
  );
  const ieos = await Promise.all(
    rows.filter(({ kind }) => kind === 'IEO').map(({ domain }) => readIeoByReference(parts, domain)),
  );
  const institutions = (await nameIeos(parts, ieos)).map(
    (institution): Match => ({ kind: 'institution', institution }),
  );
  return [...identities, ...institutions];
}

interface HolderRow {
  readonly holder_kind: 'BEO' | 'IEO' | null;
  readonly holder_id: string | null;
  readonly status: Beo['status'] | null;
  readonly destroyed_id: string | null;
}

async function holderOf(parts: Parts, text: string): Promise<Match | null> {
  const domain = normalDomain(text.includes('.') ? text : `${text}.${parts.suffix}`);
  if (domainSyntaxProblem(domain, parts.suffix)) return null;
  const [row] = await holderRows(parts, domain);
  if (row?.holder_kind === 'IEO') {
    const [institution] = await nameIeos(parts, [await readIeoByReference(parts, domain)]);
    return institution ? { kind: 'institution', institution } : null;
  }
  if (row?.holder_id && row.status) return { kind: 'identity', id: row.holder_id, domain, status: row.status };
  return row?.destroyed_id ? { kind: 'destroyed', id: row.destroyed_id, domain } : null;
}

/** The identity that had a domain and was destroyed; null if the domain has a holder, or never had one. */
export async function destroyedHolderOf(parts: Pick<Parts, 'pool' | 'suffix'>, domain: string): Promise<string | null> {
  if (domainSyntaxProblem(domain, parts.suffix)) return null;
  return (await holderRows(parts, normalDomain(domain)))[0]?.destroyed_id ?? null;
}

/** The entry that released a domain is the one that destroyed its holder. */
async function holderRows({ pool }: Pick<Parts, 'pool'>, domain: string): Promise<HolderRow[]> {
  const { rows } = await available(() =>
    pool.query<HolderRow>({
      name: 'holder-of-domain',
      text: `SELECT n.holder_kind, n.holder_id, b.status, gone.entity_id AS destroyed_id FROM names n
        LEFT JOIN beos b ON n.holder_kind = 'BEO' AND b.id = n.holder_id
        LEFT JOIN ledger_entries gone ON n.holder_id IS NULL AND gone.seq = n.seq AND gone.function = 'destroyBEO'
        WHERE n.id = $1`,
      values: [domain],
    }),
  );
  return rows;
}

/** `1234`, also with a thousands separator or a sign such as “No.” before it. */
const NUMBER = /^(?:#|n\.?[ºo°]?\.?)?\s*(\d{1,3}(?:[., \u00a0\u202f]\d{3})+|\d+)$/iu;
/** A sign that no domain can begin with, so the text can only be a number: `#2` and `no. 2`, but not `no2`. */
const SIGN = /^(?:#|n(?:o?\s|o?\.|[º°]))/iu;

function numberIn(text: string): number | null {
  const seq = Number(NUMBER.exec(text)?.[1]?.replace(/\D/g, '') ?? Number.NaN);
  return Number.isSafeInteger(seq) ? seq : null;
}

/** The entry with a number, and the number of the newest one (0 on an empty ledger). */
async function entryWith({ pool }: Parts, seq: number): Promise<{ match: Match | null; newest: number }> {
  const { rows } = await available(() =>
    pool.query<{ id: string | null; function: string | null; newest: number }>({
      name: 'entry-with-seq',
      text: `SELECT e.id, e.function, newest.seq AS newest
        FROM (SELECT coalesce(max(seq), 0) AS seq FROM ledger_entries) newest
        LEFT JOIN ledger_entries e ON e.seq = $1`,
      values: [seq],
    }),
  );
  const [row] = rows;
  const match: Match | null =
    row?.id && row.function ? { kind: 'entry', seq, id: row.id, function: row.function } : null;
  return { match, newest: row?.newest ?? 0 };
}
