import { z } from 'zod';
import { beo, guardian, role, socialRecovery } from './entities/views.ts';
import { count, domain, hexKey, time, url, uuid } from './response-shapes.ts';

/** Schemas of the responses to guardians and about them. See read-responses.ts. */

export const openInvitation = z.object({
  invitation_id: uuid,
  beo_id: uuid,
  beo_domain: domain,
  role,
  expires_at: time,
});

export const openConfirmation = z.object({
  request_id: uuid,
  beo_id: uuid,
  beo_domain: domain,
  new_public_key: hexKey,
  confirmations: count,
  expires_at: time,
});

export const openedRequest = z.object({
  transactionId: z.null().describe('A request writes no ledger entry.'),
  receipt: z.null(),
  request_id: uuid,
  expires_at: time,
  fingerprint: z.string().describe('Six words of the new key, which the holder reads to each guardian.'),
  confirmations_needed: count,
  links: z.array(
    z.object({ role, url, former: z.boolean().exactOptional().describe('A removed guardian in the grace period.') }),
  ),
});

const attestedOn = z.iso
  .date()
  .nullable()
  .describe('The last day (UTC) on which the guardian checked that the key is still there; null if never.');

export const guardianAttestation = z.object({ guardian_id: uuid, attested_on: z.iso.date() });

/** A practice of a recovery, which changes nothing. */
export const startedPractice = z.object({
  practice_id: uuid,
  expires_at: time,
  links: z.array(z.object({ guardian_id: uuid, role, url })),
});

export const practisedRecovery = z.object({ practice_id: uuid, guardian_id: uuid, attested_on: z.iso.date() });

export const guardianList = z.object({
  beo_id: uuid,
  recovery: socialRecovery.extend({
    guardians: z.array(
      guardian.extend({
        eligible: z.boolean().describe('Whether this guardian may confirm a recovery now.'),
        name: z.string().nullable(),
        contact: z.string().nullable(),
        attested_on: attestedOn,
        practised: uuid.nullable().describe('The last practice that the guardian took part in.'),
      }),
    ),
  }),
  open_requests: z
    .array(
      z.object({
        request_id: uuid,
        new_public_key: hexKey,
        opened_at: time,
        expires_at: time,
        confirmations: count,
        confirmations_needed: count,
      }),
    )
    .describe('The open requests for a recovery, the latest 20, also those that no guardian has confirmed.'),
});

const guardedIdentity = z.object({
  beo_id: uuid,
  beo_domain: domain.nullable(),
  beo_status: beo.shape.status,
  guardian_id: uuid,
  role: guardian.shape.role,
  status: guardian.shape.status,
  confirmed: z.boolean(),
  eligible: z.boolean().describe('Whether this guardian may confirm a recovery now.'),
  eligible_until: time.nullable().describe('The end of the grace period of a removed guardian.'),
  accepted_at: time.nullable(),
  attested_on: attestedOn,
  challenge: z.string().describe('For attestGuardian; valid for an hour.'),
  eligible_guardians: count,
  confirmations_needed: count,
});

export const guardedList = z.object({
  public_key: hexKey,
  guarded: z.array(guardedIdentity),
  has_more: z.boolean(),
});
