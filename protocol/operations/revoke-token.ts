import { z } from 'zod';
import { tokenState } from '../entities/token.ts';
import { refusal } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { time, tokenId } from '../response-shapes.ts';
import { entityReference, tokenReference } from '../shapes.ts';
import { requireBeo } from './beo-key-operation.ts';

const fields = z.strictObject({ tokenId: tokenReference });
type Fields = z.infer<typeof fields>;

/** A holder withdraws one consent, even while LOCKED. Only the holder can. Protocol §3. */
export const revokeToken = defineOperation<Fields, Fields>()({
  name: 'revokeToken',
  function: 'revokeToken',
  title: 'Withdraw one consent',
  reserved: true,
  routes: [{ method: 'DELETE', path: '/api/consent/:tokenId', limit: 'consent', takes: { tokenId: 'tokenId' } }],
  status: 200,
  fields,
  hints: { beoId: entityReference.nullish() },
  mustName: { field: 'beoId', role: 'holder', code: 'NOT_TOKEN_OWNER' },
  subjects: {
    token: { kind: 'TOKEN', field: 'tokenId' },
    holder: { kind: 'BEO', of: 'token', member: 'beoId' },
  },
  about: { role: 'token' },
  signer: { role: 'holder' },
  expectedKey: 'BEO',
  events: ['consent.revoked'],
  publicFacts: ({ fields }) => fields,
  touches: (_, { token }) => (token?.kind === 'TOKEN' ? [token.grantee] : []),

  transition(entities, { entityId, acceptedAt }) {
    const token = entities.get('TOKEN', entityId);
    const grantee = token && entities.get(token.grantee.kind, token.grantee.id);
    if (!token || !grantee) throw refusal('TOKEN_NOT_FOUND');
    const beo = requireBeo(entities, token.beoId);
    const { status, revokedAt } = tokenState(token, { beo, grantee }, Date.parse(acceptedAt));
    if (status === 'REVOKED') throw refusal('TOKEN_ALREADY_REVOKED', undefined, { revoked_at: revokedAt });
    return { changes: [{ ...token, revokedAt: acceptedAt }] };
  },

  errors: ['TOKEN_ALREADY_REVOKED'],
  response: z.object({ token_id: tokenId, revoked_at: time }),
  answer: ({ entityId, acceptedAt }) => ({ token_id: entityId, revoked_at: acceptedAt }),
});
