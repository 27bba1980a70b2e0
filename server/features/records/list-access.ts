import type { z } from 'zod';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { accessPage } from '../../../protocol/read-responses.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { LIST_ACCESS } from '../../../protocol/signing/exchange-requests.ts';
import { readSignedRequest } from '../../../protocol/signing/message.ts';
import { timestampProblem } from '../../../protocol/signing/timestamp-problem.ts';
import { verifyRequest } from '../../entities/signed-read.ts';
import { spendNonce } from '../../entities/spend-nonce.ts';
import type { Cursors } from '../../platform/db/cursor.ts';
import { available } from '../../platform/db/pool.ts';
import type { Vault } from '../vault/vault.ts';
import { openAccessEvent } from './access-events.ts';
import type { ExchangeParts } from './authorize-read.ts';

type Parts = ExchangeParts & { readonly vault: Vault; readonly cursors: Cursors };

const PAGE = 1_000;
/** A position after every event. */
const NOW = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/**
 * Lists who used consents on a holder's records, newest first, one page per request, for the holder alone, LOCKED or
 * not. An extension.
 * @throws {ProtocolError}
 */
export async function listAccess(parts: Parts, body: Json): Promise<z.output<typeof accessPage>> {
  const { pool, readers, signatures, clock, vault, cursors } = parts;
  const request = readSignedRequest(LIST_ACCESS, body, parts);
  const now = clock.now();
  const problem = timestampProblem(request.timestamp, now);
  if (problem) throw problem;
  const beo = await readers.BEO.entity(String(request.fields.beoId), 'beoId');
  if (!beo) throw refusal('BEO_NOT_FOUND');
  if (beo.publicKey === null) throw refusal('BEO_DESTROYED');
  await verifyRequest(signatures, request, beo.publicKey, 'BEO');
  const { cursor } = request.fields;
  const scope = `access to ${beo.id}`;
  const after = typeof cursor === 'string' ? cursors.open(scope, cursor) : NOW;
  await spendNonce(pool, beo.publicKey, request, now);
  return available(async () => {
    const key = await vault.existingKey(pool, beo.id);
    if (!key) return { beo_id: beo.id, events: [], next_cursor: null };
    const { rows } = await pool.query<{ id: string; at: Instant; ciphertext: Buffer }>({
      name: 'list-access',
      text: `SELECT id, at, ciphertext FROM access_events WHERE owner_id = $1 AND (at, id) < ($3::timestamptz, $4::uuid)
             ORDER BY at DESC, id DESC LIMIT $2`,
      values: [beo.id, PAGE + 1, ...after],
    });
    const page = rows.slice(0, PAGE);
    const last = page.at(-1);
    const events = page.map((row) => ({ at: row.at, ...openAccessEvent(key, row) }));
    return {
      beo_id: beo.id,
      events,
      next_cursor: rows.length > PAGE && last ? cursors.seal(scope, [last.at, last.id]) : null,
    };
  });
}
