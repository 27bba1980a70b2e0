import type { Pool } from 'pg';
import { domainSyntaxProblem, normalDomain } from '../../protocol/domains.ts';
import type { Beo } from '../../protocol/entities/beo.ts';
import type { Clock } from '../clock.ts';
import { available } from '../db/pool.ts';
import type { Readers } from '../entities/readers.ts';
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
}

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

/** Finds what a typed text may mean: a domain with or without the suffix, the number of an entry, an institution's name. */
export async function search(parts: Parts, typed: string): Promise<Found> {
  const text = typed.normalize('NFC').trim();
  if (text === '' || text.length > MAX_TYPED || /\p{Cc}/u.test(text)) return { matches: [], hasMore: false };
  const [holder, entry, institutions] = await Promise.all([
    holderOf(parts, text),
    entryWith(parts, text),
    findIeos(parts, text, MAX_INSTITUTIONS + 1, { inactive: true }),
  ]);
  const others = institutions.filter(
    ({ ieo_id }) => holder?.kind !== 'institution' || holder.institution.ieo_id !== ieo_id,
  );
  const named = await nameIeos(parts, others.slice(0, MAX_INSTITUTIONS));
  return {
    matches: [holder, entry, ...named.map((institution): Match => ({ kind: 'institution', institution }))].filter(
      (match) => match !== null,
    ),
    hasMore: others.length > MAX_INSTITUTIONS,
  };
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

async function entryWith({ pool }: Parts, text: string): Promise<Match | null> {
  const seq = Number(NUMBER.exec(text)?.[1]?.replace(/\D/g, '') ?? Number.NaN);
  if (!Number.isSafeInteger(seq)) return null;
  const { rows } = await available(() =>
    pool.query<{ id: string; function: string }>({
      name: 'entry-with-seq',
      text: 'SELECT id, function FROM ledger_entries WHERE seq = $1',
      values: [seq],
    }),
  );
  const [row] = rows;
  return row ? { kind: 'entry', seq, ...row } : null;
}
