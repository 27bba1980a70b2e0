import { z } from 'zod';
import { ALERT_KINDS } from './alerts.ts';
import { CERT_LEVELS } from './entities/ieo.ts';
import { INTENTS } from './entities/intents.ts';
import { VERSION } from './entities/recorded.ts';
import { ieo, proposal, token } from './entities/views.ts';
import { TOKEN_PROBLEMS } from './records/token-use.ts';
import {
  base64,
  count,
  digest,
  domain,
  hexKey,
  list,
  nextCursor,
  time,
  tokenId,
  transactionId,
  url,
  uuid,
} from './response-shapes.ts';
import { PASSCODE_ATTEMPTS, SHARE_CONTENT_TYPES } from './share-files.ts';
import { shareId } from './signing/share-requests.ts';

/** Schemas of the responses of reads (protocol §4). The OpenAPI document and the types of the client derive from them. */

export const ieoPage = z.object({ ieos: z.array(ieo), count, next_cursor: nextCursor });

export const tokenVerdict = z
  .object({
    valid: z.boolean(),
    reason: z
      .enum(['TOKEN_NOT_FOUND', ...TOKEN_PROBLEMS])
      .exactOptional()
      .describe('Why it is not valid.'),
    token: token.exactOptional().describe('Absent if there is no such token.'),
  })
  .meta({ id: 'ConsentVerdict', description: 'Whether a consent allows its grantee a use now.' });

export const tokenPage = z.object({ tokens: z.array(token), count, next_cursor: nextCursor });

/** The tokens that an institution received. */
export const receivedPage = z.object({
  tokens: z.array(token),
  next_cursor: nextCursor,
  locked_beos: z.array(uuid).describe('The holders among them whose identity is locked.'),
});

export const listedProposal = proposal.extend({
  institution: ieo.pick({ ieo_id: true, domain: true, display_name: true, status: true }),
});

export const proposalPage = z.object({ proposals: z.array(listedProposal), next_cursor: nextCursor });

/** What an institution asks the institute for, and what became of it. Protocol §11. */
const certificationRequest = z
  .object({
    level: z.enum(CERT_LEVELS),
    categories: list(z.string()).describe('Empty if none are named.'),
    intents: list(z.enum(INTENTS)).describe('Empty if none are named.'),
    grounds: z.string().describe('What proves that the certification is deserved, in the words of the institution.'),
    requested_at: time,
    status: z
      .enum(['OPEN', 'ANSWERED', 'DECLINED'])
      .describe('ANSWERED: the institute decided about its certification since. DECLINED: see the reason.'),
    answered_at: time.nullable(),
    reason: z.string().nullable().describe('Why the institute declined it.'),
  })
  .meta({ id: 'CertificationRequest' });

/** The SHA-256 of the canonical message, in base64url. */
export const requestId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .meta({ description: 'The SHA-256 of the signed message: 43 base64url characters.' });

export const ownCertificationRequest = z.object({
  ieo_id: uuid,
  request: certificationRequest.nullable().describe('The latest one; null if there is none or it was withdrawn.'),
});

export const keptConsentRequest = z.object({
  request_id: requestId,
  valid_until: time,
});

export const consentRequestState = z.object({
  request_id: requestId,
  request: z
    .string()
    .nullable()
    .describe(
      'The message and the signature, each in base64url, with a point between them; null if it is not kept here.',
    ),
  used: z.boolean().describe('Whether a request for one person has been accepted.'),
});

export const certificationRequestPage = z.object({
  requests: list(
    certificationRequest.extend({
      institution: ieo,
      message: z.string().describe('The canonical message that the institution signed.'),
      signature: base64,
      public_key: hexKey.describe('The key that signed it.'),
    }),
  ),
  next_cursor: nextCursor,
});

export const alertList = z.object({
  beo_id: uuid,
  sends_mail: z.boolean().describe('Whether the service sends mail at all.'),
  addresses: z.array(
    z.object({
      address: z.string(),
      status: z
        .enum(['PENDING', 'CONFIRMED', 'UNSUBSCRIBED', 'LEAVING'])
        .describe('LEAVING: removed, and still alerted to recoveries. UNSUBSCRIBED: confirmed, and refuses all mail.'),
      added_at: time,
      confirmed_at: time.nullable(),
      ends_at: time.nullable().describe('The end of the link of a pending address, or of one that leaves.'),
    }),
  ),
  kinds: z.array(z.enum(ALERT_KINDS)).describe('Besides recoveries, to which every confirmed address is alerted.'),
  language: z.string().nullable().describe('Null where nothing was set.'),
});

export const alertLink = z.object({
  confirmed: z.boolean(),
  beo_domain: domain.describe('The identity whose alerts go to the address.'),
});

/** Members that the submitter sent and the protocol does not define are returned too. */
export const healthRecord = z
  .looseObject({
    record_id: uuid,
    beo_id: uuid,
    ieo_id: uuid.describe('The institution that submitted it.'),
    biomarker: z.string(),
    category: z.string(),
    level: z.string(),
    value: z.unknown().describe('As it was sent: a number, a string or an object.'),
    unit: z.string(),
    collected_at: z.union([time, z.iso.date()]).describe('A point in time in UTC, or a day, as it was sent.'),
    submitted_at: time,
    ref_range: z.looseObject({}).nullable(),
    confidence: z.number().min(0).max(1).nullable(),
    source: z.looseObject({ ieo_id: uuid, ieo_domain: domain }),
    supersedes: z.string().nullable().describe('The record that this one corrects.'),
    version: z.string(),
    status: z.enum(['ACTIVE', 'SUPERSEDED']),
    data_hash: digest.describe('The SHA-256 of the canonical JSON as submitted.'),
    arweave_tx: transactionId.describe('The ledger entry that submitted it.'),
    client_record_id: z.unknown().exactOptional().describe('The record id that the submitter sent.'),
  })
  .meta({ id: 'HealthRecord', description: 'A health record.' });

export const recordPage = z.object({
  request_id: z.string(),
  beo_id: uuid,
  records: list(healthRecord),
  total: count,
  has_more: z.boolean(),
});

export const exportBody = z.object({
  request_id: z.string(),
  format: z.enum(['JSON', 'CSV', 'FHIR_R4']),
  record_count: count,
  data: z.string().describe('The export in its format, as one string.'),
});

export const accessEvent = z.object({
  kind: z.enum(['submit', 'read', 'export']),
  token_id: tokenId,
  grantee_id: uuid.describe('The user: an institution, or the holder.'),
  grantee_domain: domain.nullable(),
  records: count.describe('How many records.'),
  format: z.string().exactOptional().describe('Exports only.'),
});

export const accessPage = z.object({
  beo_id: uuid,
  events: z.array(accessEvent.extend({ at: time })),
  next_cursor: nextCursor,
});

const PROBLEMS = [
  'URL_NOT_ALLOWED',
  'PORT_NOT_ALLOWED',
  'NO_PUBLIC_ADDRESS',
  'TIMEOUT',
  'CERTIFICATE_INVALID',
  'CONNECTION_FAILED',
  'STOPPED',
] as const;

export const recentResponse = z
  .object({
    at: time,
    sent: z.enum(['event', 'test', 'resend']),
    event_id: z.string(),
    event_type: z.string(),
    event_at: time.describe('When the event happened.'),
    status: z.int().nullable().describe('The HTTP status; null if there was no complete response.'),
    problem: z.enum(PROBLEMS).nullable().describe('Why there was none.'),
    ms: count.describe('Milliseconds of the exchange.'),
    body: z.string().describe('The first 512 bytes of the response.'),
  })
  .meta({ id: 'WebhookResponse' });

/** A response to one request, as the institution may read it. */
export type RecentResponse = z.output<typeof recentResponse>;
export type ExchangeProblem = (typeof PROBLEMS)[number];

export const PAUSE_REASONS = ['REQUESTED', 'GONE', 'FAILING'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

export const webhookState = z
  .object({
    ieo_id: uuid,
    webhook_url: url.nullable(),
    status: z
      .enum(['OFF', 'NONE', 'ACTIVE', 'FAILING', 'PAUSED'])
      .describe('OFF: the service sends no events. NONE: the institution has no webhook.'),
    paused_at: time.nullable(),
    pause_reason: z
      .enum(PAUSE_REASONS)
      .nullable()
      .describe('GONE: the receiver answered 410. FAILING: it failed for three days.'),
    failures: count.describe('Failed attempts in a row.'),
    failing_since: time.nullable(),
    next_attempt_at: time.nullable(),
    replaying_until: time.nullable().describe('During a replay of a range, its end.'),
    cursor: z.string().nullable().describe('The place after the last delivered event, as GET /api/events takes it.'),
    waiting: z.object({
      events: count.describe('Events that wait; at most 1000 are counted.'),
      more: z.boolean().describe('Whether there may be more.'),
    }),
    responses: list(recentResponse).describe('The last 20, newest first.'),
  })
  .meta({ id: 'Webhook' });

export const webhookAfterwards = webhookState.extend({
  response: recentResponse.nullable().describe('The response of the receiver, where a message was sent.'),
});

export const webhookKeys = z.object({
  keys: z.array(z.string().regex(/^whpk_[A-Za-z0-9+/]{43}=$/)).describe('The current key, then the previous one.'),
});

export const jwks = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string(),
      use: z.literal('sig'),
      alg: z.literal('EdDSA'),
    }),
  ),
});

const part = { ok: z.boolean(), problem: z.string().exactOptional().describe('What is wrong; absent if nothing is.') };
export const readinessCheck = z.object(part);

/** The body of /ready. */
export const readinessState = z
  .object({
    status: z
      .enum(['ready', 'degraded', 'unavailable'])
      .describe('degraded: writes are accepted, but a part fails. unavailable: writes get 503.'),
    database: readinessCheck,
    ledger: z
      .object({
        ...part,
        unanswered: z
          .array(z.object({ source: z.string(), reason: z.string() }))
          .describe('Sources outside that were asked for a later head and have not answered yet.'),
      })
      .describe(
        'Whether the database has every operation that this service, the network, witnesses and mirrors have seen.',
      ),
    limiter: readinessCheck,
    network: z.object({
      ...part,
      kind: z.enum(['devnet', 'arweave']),
      permanent: z.boolean(),
      height: z.int().nullable(),
    }),
    wallet: z.object({ ...part, address: z.string(), balance_winston: z.string().nullable() }),
    mail: readinessCheck.exactOptional().describe('Mail to guardians; absent if no mail server is configured.'),
    backups: readinessCheck
      .exactOptional()
      .describe(
        'Backups of the embedded database, or the archiving of another one; absent if neither BACKUP_DIR nor archive_mode is set.',
      ),
    witnesses: z
      .object({ ...part, cosigned: count.nullable().describe('How many cosigned the newest checkpoint.'), of: count })
      .exactOptional()
      .describe('Cosignatures of the transparency log; absent if WITNESSES is not set.'),
    storage: z.object({ ...part, used_bytes: count.nullable(), max_bytes: count }),
    backlog: z.object({ ...part, entries: count.nullable(), oldest_seconds: z.int().nullable(), max_entries: count }),
  })
  .meta({ id: 'Readiness' });

export const healthState = z.object({ status: z.literal('ok'), service: z.string(), version: z.literal(VERSION) });

/** The public events of an identity or an institution. */
export const jsonFeed = z
  .object({
    version: z.literal('https://jsonfeed.org/version/1.1'),
    title: z.string(),
    home_page_url: url.describe('The page about the identity or the institution.'),
    feed_url: url,
    next_url: url.exactOptional().describe('The page with older entries; absent on the last one.'),
    language: z.string(),
    authors: list(z.object({ name: z.string() })),
    items: list(
      z.object({
        id: z.string().describe('The same for ever.'),
        url: url.describe('The page about the ledger entry.'),
        title: z.string(),
        content_text: z.string(),
        date_published: time,
        tags: list(z.string()).describe('The function of the ledger entry.'),
      }),
    ),
  })
  .meta({ id: 'JsonFeed', description: 'A feed as https://www.jsonfeed.org/version/1.1/ describes it.' });

/** A share as its holder sees it. Protocol §11. */
const share = z
  .object({
    share_id: shareId,
    label: z.string().describe('The note of the holder.'),
    status: z
      .enum(['ACTIVE', 'STOPPED', 'EXPIRED', 'USED_UP', 'GUESSED'])
      .describe('USED_UP: opened as often as allowed. GUESSED: all attempts at the passcode were wrong.'),
    created_at: time,
    expires_at: time,
    stopped_at: time.nullable(),
    bytes: count.describe('The size of the encrypted files.'),
    max_openings: count,
    attempts_left: count.max(PASSCODE_ATTEMPTS).nullable().describe('At the passcode; null without one.'),
    openings: list(z.object({ at: time, recipient: z.string().describe('Who opened it, in their own words.') })),
  })
  .meta({ id: 'Share' });

export const createdShare = z.object({
  beo_id: uuid,
  share,
  url: url.describe('The address of the manifest, for the link.'),
});
export const ownShare = z.object({ beo_id: uuid, share });
export const ownShares = z.object({ beo_id: uuid, shares: list(share).describe('Newest first.') });

/** The manifest of a SMART Health Link, with the names of HL7's specification. */
export const shareManifest = z.object({
  files: list(
    z.object({
      contentType: z.enum(SHARE_CONTENT_TYPES),
      embedded: z.string().exactOptional().describe('The encrypted file.'),
      location: url.exactOptional().describe('The address of the encrypted file, for ten minutes.'),
      lastUpdated: time,
      status: z.literal('finalized'),
      fhirVersion: z.literal('4.0.1').exactOptional(),
    }),
  ),
});
