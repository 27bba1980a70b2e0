import type { Pool } from 'pg';
import type { z } from 'zod';
import type { LedgerStatus } from '../../../protocol/entities/recorded.ts';
import { type Token, type TokenParties, tokenView } from '../../../protocol/entities/token.ts';
import { refusal } from '../../../protocol/errors.ts';
import { isTokenId, isTransactionId } from '../../../protocol/ids.ts';
import type { receivedPage, tokenPage, tokenVerdict } from '../../../protocol/read-responses.ts';
import { tokenProblem, type Use } from '../../../protocol/records/token-use.ts';
import { type Readers, statusOf } from '../../entities/readers.ts';
import type { Row } from '../../entities/stores/entity-store.ts';
import { tokens } from '../../entities/stores/tokens.ts';
import type { Clock } from '../../platform/db/clock.ts';
import type { Cursors } from '../../platform/db/cursor.ts';
import { available } from '../../platform/db/pool.ts';
import { createBatcher } from '../../platform/db/statement-batch.ts';
import type { Page } from './list-ieos.ts';

/** A token with the parties that its validity depends on, at one moment. */
export interface TokenRead {
  readonly token: Token;
  readonly parties: TokenParties;
  readonly status: LedgerStatus;
}

export interface TokenReader {
  /** By id, or by the id of the granting transaction (the alias rule, protocol §2); null for anything else. */
  byReference(reference: string): Promise<TokenRead | null>;
  /** Newest first; after the token with the createdSeq `after`, if given. */
  ofBeo(beoId: string, limit: number, after: readonly string[]): Promise<TokenRead[]>;
  countOfBeo(beoId: string): Promise<number>;
  /** Tokens granted to an institution, newest first; not counted, because there may be millions. */
  toInstitution(ieoId: string, limit: number, after: readonly string[]): Promise<TokenRead[]>;
}

const PARTIES = `b.domain AS holder_domain, b.status AS holder_status, b.updated_at AS holder_updated, b.seq AS holder_seq,
  i.domain AS ieo_domain, i.status AS ieo_status, i.updated_at AS ieo_updated, i.seq AS ieo_seq, i.ieo_type`;
/** The seq of tokenState as a SQL expression. */
const LATEST = `CASE WHEN t.revoked_at IS NOT NULL THEN t.seq ELSE coalesce(least(
  CASE WHEN b.status = 'DESTROYED' THEN b.seq END,
  CASE WHEN i.status IN ('REVOKED', 'DESTROYED') THEN i.seq END), t.seq) END`;
const COLUMNS = ['id', ...tokens.columns].map((column) => `t.${column}`).join(', ');
const SELECT = `SELECT ${COLUMNS}, ${PARTIES}, ${statusOf(`(${LATEST})`)} AS ledger_status`;
const JOINS = `JOIN beos b ON b.id = t.beo_id LEFT JOIN ieos i ON t.grantee_kind = 'IEO' AND i.id = t.grantee_id`;

/** @param listPool for reads that may take long */
export function createTokenReader(pool: Pool, listPool: Pool): TokenReader {
  const batched = (by: string, from: string) =>
    createBatcher<TokenRead>(async (keys) => {
      const text = `${SELECT}, asked.key FROM unnest($1::text[]) AS asked (key) ${from} ${JOINS}`;
      const { rows } = await pool.query<Row>({ name: `tokens-with-parties-by-${by}`, text, values: [keys] });
      return new Map(rows.map((row) => [row.key as string, fromRow(row)]));
    });
  const byId = batched('id', 'JOIN effective_tokens t ON t.id = asked.key');
  const byTransaction = batched(
    'transaction',
    `JOIN ledger_entries e ON e.id = asked.key AND e.function = 'grantConsent' JOIN effective_tokens t ON t.id = e.entity_id`,
  );

  async function page(by: string, which: string, id: string, limit: number, after: readonly string[]) {
    const position = after.length > 0 ? 'AND t.created_seq < $3' : '';
    const { rows } = await listPool.query<Row>({
      name: `tokens-of-${by}-${after.length > 0 ? 'after' : 'first'}`,
      text: `${SELECT} FROM effective_tokens t ${JOINS} WHERE ${which} ${position} ORDER BY t.created_seq DESC LIMIT $2`,
      values: [id, limit, ...after],
    });
    return rows.map(fromRow);
  }

  return {
    async byReference(reference) {
      if (isTokenId(reference)) return available(async () => (await byId(reference.toLowerCase())) ?? null);
      if (isTransactionId(reference)) return available(async () => (await byTransaction(reference)) ?? null);
      return null;
    },

    ofBeo: (beoId, limit, after) => available(() => page('beo', 't.beo_id = $1', beoId, limit, after)),

    countOfBeo: (beoId) =>
      available(async () => {
        const { rows } = await listPool.query<{ count: number }>({
          name: 'tokens-of-beo-count',
          text: 'SELECT count(*) AS count FROM tokens WHERE beo_id = $1',
          values: [beoId],
        });
        return rows[0]?.count ?? 0;
      }),

    toInstitution: (ieoId, limit, after) =>
      available(() => page('institution', `t.grantee_kind = 'IEO' AND t.grantee_id = $1`, ieoId, limit, after)),
  };
}

function fromRow(row: Row): TokenRead {
  const beo = {
    kind: 'BEO',
    domain: row.holder_domain,
    status: row.holder_status,
    updatedAt: row.holder_updated,
    seq: row.holder_seq,
  } as TokenParties['beo'];
  const ieo = {
    kind: 'IEO',
    domain: row.ieo_domain,
    status: row.ieo_status,
    updatedAt: row.ieo_updated,
    seq: row.ieo_seq,
    ieoType: row.ieo_type,
  } as TokenParties['grantee'];
  return {
    token: tokens.fromRow(row),
    parties: { beo, grantee: row.grantee_kind === 'IEO' ? ieo : beo },
    status: row.ledger_status as LedgerStatus,
  };
}

export interface TokenListParts {
  readonly tokens: TokenReader;
  readonly readers: Readers;
  readonly clock: Clock;
  readonly cursors: Cursors;
}

export type TokenVerdict = z.output<typeof tokenVerdict>;

/** Whether a token currently allows its grantee a use. An unknown or malformed id is TOKEN_NOT_FOUND. Protocol §4. */
export async function verifyToken(
  { tokens, clock }: TokenListParts,
  reference: string,
  use: Use,
): Promise<TokenVerdict> {
  const found = await tokens.byReference(reference);
  if (!found) return { valid: false, reason: 'TOKEN_NOT_FOUND' };
  const now = clock.now();
  const problem = tokenProblem(found.token, found.parties, use, now);
  const token = tokenView(found.token, found.parties, found.status, now);
  return problem === null ? { valid: true, token } : { valid: false, reason: problem, token };
}

/**
 * A page of the tokens that a holder ever granted, newest first. @throws VALIDATION_FAILED, BEO_NOT_FOUND. Protocol §4.
 */
export async function tokenHistory(
  parts: TokenListParts,
  reference: string,
  page: Page,
): Promise<z.output<typeof tokenPage>> {
  const { tokens, cursors } = parts;
  const beoId = await holderOf(parts, reference);
  const scope = `tokens of ${beoId}`;
  const after = page.cursor === null ? [] : cursors.open(scope, page.cursor);
  const [read, count] = await Promise.all([tokens.ofBeo(beoId, page.limit + 1, after), tokens.countOfBeo(beoId)]);
  const { tokens: shown, next_cursor } = shownOf(parts, read, scope, page);
  return { tokens: shown, count, next_cursor };
}

/** Tokens in memory at a time while a whole history is sent. */
const PIECE = 200;

/**
 * All tokens that a holder ever granted, newest first, as the JSON text of one response, read while it is sent. Tokens
 * granted meanwhile are not included. If reading fails, it throws and the text is incomplete.
 * @throws VALIDATION_FAILED, BEO_NOT_FOUND, UNAVAILABLE. Protocol §4.
 */
export async function* wholeHistory(parts: TokenListParts, reference: string): AsyncGenerator<string> {
  const { tokens, clock } = parts;
  const beoId = await holderOf(parts, reference);
  let count = 0;
  let before = '{"tokens":[';
  for (let after: string[] = [], more = true; more; ) {
    const read = await tokens.ofBeo(beoId, PIECE, after);
    const views = read.map(({ token, parties, status }) => tokenView(token, parties, status, clock.now()));
    if (views.length > 0) yield before + views.map((view) => JSON.stringify(view)).join(',');
    if (views.length > 0) before = ',';
    count += views.length;
    after = [String(read.at(-1)?.token.createdSeq)];
    more = read.length === PIECE;
  }
  yield `${count === 0 ? before : ''}],"count":${count},"next_cursor":null}`;
}

async function holderOf({ readers }: TokenListParts, reference: string): Promise<string> {
  const holder = await readers.BEO.byReference(reference, 'beo_domain');
  if (!holder) throw refusal('BEO_NOT_FOUND');
  return holder.entity.id;
}

/**
 * A page of the tokens that an institution ever received, newest first, and the ids of the holders among them whose identity is
 * LOCKED. @throws VALIDATION_FAILED, IEO_NOT_FOUND
 */
export async function receivedTokens(
  parts: TokenListParts,
  reference: string,
  page: Page,
): Promise<z.output<typeof receivedPage>> {
  const { tokens, readers, cursors } = parts;
  const institution = await readers.IEO.byReference(reference, 'ieoId');
  if (!institution) throw refusal('IEO_NOT_FOUND');
  const ieoId = institution.entity.id;
  const scope = `tokens to ${ieoId}`;
  const after = page.cursor === null ? [] : cursors.open(scope, page.cursor);
  const read = await tokens.toInstitution(ieoId, page.limit + 1, after);
  const locked = read.filter(({ parties }) => parties.beo.status === 'LOCKED').map(({ token }) => token.beoId);
  return { ...shownOf(parts, read, scope, page), locked_beos: [...new Set(locked)] };
}

/** One page; `read` has one more token if there is a next page. */
function shownOf({ clock, cursors }: TokenListParts, read: readonly TokenRead[], scope: string, { limit }: Page) {
  const shown = read.slice(0, limit);
  const last = shown.at(-1)?.token;
  return {
    tokens: shown.map(({ token, parties, status }) => tokenView(token, parties, status, clock.now())),
    next_cursor: read.length > limit && last ? cursors.seal(scope, [String(last.createdSeq)]) : null,
  };
}
