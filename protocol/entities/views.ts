import { z } from 'zod';
import { CATEGORIES, LEVELS } from '../records/taxonomy.ts';
import {
  count,
  digest,
  domain,
  hexKey,
  list,
  seq,
  signature,
  time,
  tokenId,
  transactionId,
  uuid,
} from '../response-shapes.ts';
import { ACTION_PARAMS, ACTIONS } from './decision-params.ts';
import { GUARDIAN_ROLES, THRESHOLD } from './guardian.ts';
import { CERT_LEVELS, IEO_STATUSES, IEO_TYPES, UNCERTIFIED_REASONS } from './ieo.ts';
import { INTENTS } from './intents.ts';
import { LEDGER_STATUSES, VERSION } from './recorded.ts';

/** Schemas of the entities as the API returns them (protocol §3). The types of the views derive from them. */

export const ledgerStatus = z
  .enum(LEDGER_STATUSES)
  .meta({ description: 'ACCEPTED, then POSTED, CONFIRMED and FINAL on the storage network.' });
const place = z
  .object({ seq, status: ledgerStatus })
  .meta({ id: 'LedgerPlace', description: 'The latest ledger entry about the entity, and its relay status.' });
const version = z.literal(VERSION);
const createdBy = transactionId.describe('The id of the ledger entry that created it.');

export const role = z.enum(GUARDIAN_ROLES);
const guardianStatus = z.enum(['PENDING', 'ACTIVE', 'REMOVED', 'EXPIRED']);

export const guardian = z
  .object({
    guardian_id: uuid,
    role,
    public_key: hexKey.nullable(),
    status: guardianStatus,
    accepted: z.boolean(),
    confirmed: z.boolean().describe('Whether the holder signed the key of this guardian.'),
    added_at: time,
    accepted_at: time.nullable(),
  })
  .meta({ id: 'Guardian', description: 'A guardian, without name and contact.' });

const threshold = z.literal(THRESHOLD);

export const recovery = z
  .object({ enabled: z.boolean(), threshold, guardians: z.array(guardian) })
  .meta({ id: 'Recovery', description: 'A recovery configuration.' });

export const socialRecovery = z
  .object({
    enabled: z.boolean(),
    threshold,
    confirmed_only: z.boolean().describe('Whether only confirmed guardians may ever recover the identity.'),
    guardians: z.array(guardian),
  })
  .meta({ id: 'SocialRecovery', description: 'The recovery configuration of a person.' });

export const activeRecovery = z
  .object({
    request_id: uuid,
    new_public_key: hexKey,
    confirmations: count,
    confirmations_needed: count,
    expires_at: time,
  })
  .meta({ id: 'ActiveRecovery', description: 'The open recovery request with the most confirmations.' });

/** The link of a guardian whom an operation invited. */
export const invitation = z
  .object({ guardian_id: uuid, role, url: z.string(), expires_at: time })
  .meta({ id: 'Invitation', description: 'The link with which a guardian accepts an invitation.' });

/** The response to a revocation. */
export const revokedCount = z.object({ revoked_count: count });

/** The response to an operation on one guardian. */
export const guardianSummary = z.object({
  guardian_id: uuid,
  role,
  status: guardianStatus,
  beo_domain: domain.nullable(),
});

export const beo = z
  .object({
    beo_id: uuid,
    domain: domain.nullable(),
    public_key: hexKey.nullable(),
    key_version: z.int().min(1),
    status: z.enum(['ACTIVE', 'LOCKED', 'DESTROYED']),
    created_at: time,
    updated_at: time,
    locked_at: time.nullable(),
    version,
    recovery: socialRecovery,
    active_recovery: activeRecovery.nullable(),
    arweave_tx: createdBy,
    ledger: place,
  })
  .meta({ id: 'BEO', description: 'The identity of a person. A destroyed one has neither domain nor key.' });

export const certification = z.object({
  level: z.enum(CERT_LEVELS),
  granted_at: time.nullable(),
  expires_at: time.nullable(),
  categories: list(z.string()).describe('Empty if the certification is not limited to categories.'),
  intents: list(z.string()).describe('Empty if the certification is not limited to intents.'),
});

/** Whether an institution is certified now. */
export const certificationNow = z
  .object({
    certified: z.boolean(),
    level: z.enum(CERT_LEVELS),
    granted_at: time.nullable(),
    expires_at: time.nullable(),
    categories: list(z.string()).exactOptional().describe('Absent if the certification is not limited to categories.'),
    intents: list(z.string()).exactOptional().describe('Absent if the certification is not limited to intents.'),
    reason: z.enum(UNCERTIFIED_REASONS).exactOptional().describe('Why it is not certified.'),
  })
  .meta({ id: 'Certification' });

export const ieo = z
  .object({
    ieo_id: uuid,
    domain,
    display_name: z.string().nullable(),
    ieo_type: z.enum(IEO_TYPES),
    country: z.string().nullable(),
    jurisdiction: z.string().nullable(),
    legal_id: z.string().nullable(),
    public_key: hexKey.nullable(),
    key_version: z.int().min(1),
    status: z.enum(IEO_STATUSES),
    created_at: time,
    updated_at: time,
    locked_at: time.nullable(),
    version,
    certification,
    contacts: z.object({ api_endpoint: z.string().nullable(), webhook_url: z.string().nullable() }),
    recovery,
    arweave_tx: createdBy,
    ledger: place,
  })
  .meta({ id: 'IEO', description: 'An institution. A destroyed one keeps its domain and has no key.' });

export const scope = z
  .object({
    intents: list(z.enum(INTENTS)),
    categories: list(z.enum(['*', ...CATEGORIES])),
    levels: list(z.enum(LEVELS)).describe('Empty for all levels.'),
    period: z.object({ from: time.nullable(), to: time.nullable() }).nullable(),
    max_records: z.int().min(1).nullable(),
  })
  .meta({ id: 'Scope', description: 'What a consent allows.' });

export const token = z
  .object({
    token_id: tokenId,
    beo_id: uuid,
    beo_domain: domain.nullable(),
    ieo_id: uuid.describe('The grantee: an institution, or the holder.'),
    ieo_domain: domain.nullable(),
    granted_at: time,
    expires_at: time.nullable(),
    scope,
    status: z.enum(['ACTIVE', 'EXPIRED', 'REVOKED']),
    revocable: z.boolean(),
    revoked: z.boolean(),
    revoked_at: time.nullable(),
    owner_signature: signature.describe('The signature of the holder over the canonical message.'),
    token_hash: digest.describe('The SHA-256 of the canonical message that the holder signed.'),
    arweave_tx: createdBy,
    version,
    ledger: place,
  })
  .meta({ id: 'ConsentToken', description: 'A consent.' });

export const proposal = z
  .object({
    proposal_id: uuid,
    action: z.enum(ACTIONS),
    params: z.union(ACTION_PARAMS),
    justification: z.string(),
    status: z.enum(['PENDING', 'EXECUTED', 'EXPIRED']),
    approvals: z.array(z.object({ approver: z.literal([1, 2, 3]), approved_at: time })),
    opened_at: time,
    expires_at: time,
    executed_at: time.nullable(),
    version,
    arweave_tx: createdBy,
    ledger: place,
  })
  .meta({ id: 'Proposal', description: 'A proposal of the institute about an institution.' });
