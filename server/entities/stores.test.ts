import type pg from 'pg';
import { expect, test } from 'vitest';
import type { RecordedRevocation } from '../../protocol/entities/revocation.ts';
import type { Token } from '../../protocol/entities/token.ts';
import type { BeoId, IeoId, TokenId, TransactionId } from '../../protocol/ids.ts';
import { loadEntities } from './stores.ts';

const AT = '2026-01-31T12:00:00.000Z';
const revocation: RecordedRevocation = { beoId: 'holder' as BeoId, at: AT, seq: 9 };
const tokenOf = (id: string, createdSeq: number): Token => ({
  ...{ kind: 'TOKEN', id: id as TokenId, beoId: 'holder' as BeoId, grantee: { kind: 'IEO', id: 'lab' as IeoId } },
  scope: { intents: ['READ_RECORDS'], categories: ['*'], levels: [], period: null, max_records: null },
  ...{ grantedAt: AT, expiresAt: null, scopeKey: `scope of ${id}`, revokedAt: null, submitted: 0 },
  ...{ ownerSignature: '', tokenHash: '', transactionId: id as TransactionId, seq: createdSeq, createdSeq },
});

test('of a batch, a token granted before a revocation is stored as revoked and counted, one that was read is not changed', async () => {
  const read = tokenOf('read', 1);
  const row = {
    id: 'read',
    beo_id: 'holder',
    grantee_kind: 'IEO',
    grantee_id: 'lab',
    expires_at: null,
    scope: read.scope,
  };
  const rows = [{ ...row, granted_at: AT, scope_key: 'scope of read', revoked_at: null, seq: 1, created_seq: 1 }];
  const client = { query: async () => ({ rows }) } as unknown as pg.ClientBase;
  const entities = await loadEntities(client, [{ kind: 'TOKEN', id: 'read' }]);
  entities.put(tokenOf('before', 8));
  const submitted = { ...(entities.get('TOKEN', 'read') as Token), submitted: 3 };
  entities.put(submitted);
  expect(entities.revoke(revocation)).toBe(1);
  entities.put(tokenOf('after', 10));

  const { added, updated, revocations } = entities.changed();
  expect(added).toEqual([{ ...tokenOf('before', 8), revokedAt: AT, seq: 9 }, tokenOf('after', 10)]);
  expect(updated).toEqual([submitted]);
  expect(revocations).toEqual([revocation]);
  expect(entities.get('TOKEN', 'read')).toMatchObject({ revokedAt: AT, seq: 9, submitted: 3 });
  expect(['read', 'before', 'after'].map((id) => entities.granted(`scope of ${id}`).length)).toEqual([0, 0, 1]);
  expect(entities.liveTokens('holder')).toBe(1);
});
