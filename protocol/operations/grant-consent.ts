import { z } from 'zod';
import { sha256 } from '#digests';
import { DAY_MS } from '../days.ts';
import { UNORDERED } from '../entities/recorded.ts';
import { scopeKeyOf } from '../entities/scope-key.ts';
import {
  type Grantee,
  isLive,
  type Scope,
  type Token,
  TYPE_RESTRICTIONS,
  tokenView,
  typeRestriction,
} from '../entities/token.ts';
import * as views from '../entities/views.ts';
import { refusal } from '../errors.ts';
import type { TokenId } from '../ids.ts';
import { type Accepted, defineOperation } from '../operation.ts';
import { categoriesCoveredBy } from '../records/coverage.ts';
import { expiresInDays, normalizedScope, scope } from '../records/scope.ts';
import { entityReference } from '../shapes.ts';
import { messageBytes } from '../signing/message-bytes.ts';
import { requireBeo } from './beo-key-operation.ts';
import { requireIeo } from './ieo-key-operation.ts';

/** Live tokens of one holder. Protocol §3. */
export const MAX_LIVE_TOKENS = 10_000;

/** The request of the institution that the consent answers, as its link carries it (consent-request.ts). */
const request = z
  .string({ error: 'must be the text of a request' })
  .max(8_000, 'must have at most 8000 characters')
  .nullish();

const fields = z.strictObject({
  beoId: entityReference,
  ieoId: entityReference,
  scope,
  expiresInDays,
});

interface PublicFacts {
  readonly scope: Scope;
  readonly expiresInDays: number | null;
  readonly ownerSignature: string;
  readonly tokenHash: string;
}

/** A holder grants an institution, or itself, a scope of use of the holder's records. Protocol §3. */
export const grantConsent = defineOperation<z.infer<typeof fields>, PublicFacts>()({
  name: 'grantConsent',
  function: 'grantConsent',
  title: 'Grant a consent',
  routes: [{ method: 'POST', path: '/api/relayer/consent', limit: 'consent' }],
  status: 201,
  fields,
  hints: { request },
  subjects: {
    holder: { kind: 'BEO', field: 'beoId' },
    grantee: { kind: 'IEO', field: 'ieoId', orRole: 'holder' },
  },
  about: { creates: 'TOKEN' },
  signer: { role: 'holder' },
  expectedKey: 'BEO',
  events: ['consent.granted'],
  examine: ({ scope }) => (categoriesCoveredBy(normalizedScope(scope), null).length === 0 ? coversNothing() : null),

  publicFacts: ({ fields, message, signature }) => ({
    scope: normalizedScope(fields.scope),
    expiresInDays: fields.expiresInDays,
    ownerSignature: signature,
    tokenHash: sha256(messageBytes(message)),
  }),

  touches: ({ publicFacts }, { holder, grantee }) =>
    holder?.kind === 'BEO' && (grantee?.kind === 'BEO' || grantee?.kind === 'IEO')
      ? [{ scopeKey: scopeKeyOf(holder.id, grantee.id, publicFacts.scope) }, { liveTokensOf: holder.id }]
      : [],

  transition(entities, accepted) {
    const { publicFacts, subjects, acceptedAt } = accepted;
    const holder = requireBeo(entities, subjects.holder);
    const grantee = subjects.grantee === holder.id ? holder : requireIeo(entities, subjects.grantee);
    if (holder.status === 'LOCKED') throw refusal('BEO_LOCKED');
    if (grantee.kind === 'IEO') {
      if (grantee.status !== 'ACTIVE') throw refusal('IEO_NOT_ACTIVE');
      const restriction = typeRestriction(
        grantee.ieoType,
        withoutExport(publicFacts.scope),
        publicFacts.expiresInDays !== null,
      );
      if (restriction) throw refusal('INTENT_NOT_ALLOWED_FOR_TYPE', TYPE_RESTRICTIONS[restriction]);
    }
    const token = grantedToken(accepted, {
      beoId: holder.id,
      grantee: { kind: grantee.kind, id: grantee.id } as Grantee,
      scopeKey: scopeKeyOf(holder.id, grantee.id, publicFacts.scope),
    });
    const duplicate = entities.granted(token.scopeKey).find((granted) => isLive(granted, Date.parse(acceptedAt)));
    if (duplicate) throw refusal('DUPLICATE_TOKEN', undefined, { token_id: duplicate.id });
    return { changes: [token] };
  },

  admit(entities, { publicFacts, subjects }) {
    const { scope, expiresInDays } = publicFacts;
    const institution = subjects.grantee === subjects.holder ? null : requireIeo(entities, subjects.grantee);
    const restriction = typeRestriction(institution?.ieoType ?? null, scope, expiresInDays !== null);
    if (restriction) throw refusal('INTENT_NOT_ALLOWED_FOR_TYPE', TYPE_RESTRICTIONS[restriction]);
    if (categoriesCoveredBy(scope, institution?.ieoType ?? null).length === 0) throw coversNothing();
    if (entities.liveTokens(subjects.holder ?? '') >= MAX_LIVE_TOKENS) throw refusal('CONSENT_LIMIT_REACHED');
  },

  errors: [
    'SCOPE_REQUIRED',
    'CATEGORIES_REQUIRED',
    'BEO_LOCKED',
    'IEO_NOT_ACTIVE',
    'INTENT_NOT_ALLOWED_FOR_TYPE',
    'DUPLICATE_TOKEN',
    'CONSENT_LIMIT_REACHED',
    'LINK_EXPIRED',
    'LINK_USED',
  ],
  response: z.object({ token: views.token }),
  answer({ entityId, entities, subjects, acceptedAt }) {
    const token = entities.get('TOKEN', entityId);
    const beo = entities.get('BEO', subjects.holder ?? '');
    const grantee = token && entities.get(token.grantee.kind, token.grantee.id);
    if (!token || !beo || !grantee) throw refusal('INTERNAL');
    return { token: tokenView(token, { beo, grantee }, 'ACCEPTED', Date.parse(acceptedAt)) };
  },
});

/** Existing ledgers let a WEARABLE export more than device data: a replay accepts such grants, `admit` rejects new ones. */
const withoutExport = (scope: Scope): Scope => ({
  ...scope,
  intents: scope.intents.filter((intent) => intent !== 'EXPORT_DATA'),
});

const coversNothing = () =>
  refusal('CATEGORIES_REQUIRED', 'The consent would cover nothing: none of its categories has one of its levels.', {
    issues: [{ path: 'scope.levels', message: 'has no biomarker in common with the categories' }],
  });

const grantedToken = (
  { entityId, publicFacts, acceptedAt }: Accepted<PublicFacts>,
  parties: Pick<Token, 'beoId' | 'grantee' | 'scopeKey'>,
): Token => ({
  kind: 'TOKEN',
  id: entityId as TokenId,
  ...parties,
  grantedAt: acceptedAt,
  expiresAt: publicFacts.expiresInDays === null ? null : daysAfter(acceptedAt, publicFacts.expiresInDays),
  scope: publicFacts.scope,
  revokedAt: null,
  submitted: 0,
  ownerSignature: publicFacts.ownerSignature,
  tokenHash: publicFacts.tokenHash,
  ...UNORDERED,
});

const daysAfter = (at: string, days: number): string => new Date(Date.parse(at) + days * DAY_MS).toISOString();
