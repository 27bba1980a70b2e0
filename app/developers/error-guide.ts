import type { ErrorCode } from '../../protocol/errors.ts';

interface Guide {
  /** What happened. `Backquotes` mark code. */
  readonly happened: string;
  readonly fix: string;
}

/** The text of the page of each error code. Statuses and sentences are in protocol/errors.ts. */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, Guide>> = {
  VALIDATION_FAILED: {
    happened:
      'A field is missing, has the wrong type or breaks a constraint, or the request has a field or query parameter that the operation does not know. Nothing was stored, and the nonce was not used.',
    fix: 'Read `details.issues`: each has the `path` of a field and a `message`. Correct the fields, sign again and send. Fields that are not in the reference of the operation must be left out, because unsigned content could be mistaken for signed content.',
  },
  INVALID_JSON: {
    happened: 'The body could not be parsed: it is empty, cut off, not JSON, or not encoded in UTF-8.',
    fix: 'Serialize the body with a JSON library, encode it in UTF-8 without a byte order mark, and check that `Content-Length` counts bytes, not characters.',
  },
  NONCE_REQUIRED: {
    happened: 'The request is signed, but `nonce` is missing, null or empty.',
    fix: 'Generate a random string of 16 to 128 characters for every request, add it to the message before you sign, and send it with the request. A UUID or 16 random bytes in hex are enough.',
  },
  NONCE_TOO_SHORT: {
    happened: '`nonce` has fewer than 16 characters, so two requests could have the same one by chance.',
    fix: 'Use at least 16 characters from a cryptographic random generator, such as `randomUUID()` or `secrets.token_hex(16)`. Sign again: the nonce is part of the message.',
  },
  TIMESTAMP_INVALID: {
    happened: '`timestamp` is missing or is not a date and time with a zone.',
    fix: 'Send an ISO 8601 text such as `2026-01-31T12:00:00.000Z`. A number of seconds or milliseconds, a date without a time, and a time without `Z` or an offset are refused.',
  },
  TIMESTAMP_TOO_OLD: {
    happened:
      'The request was signed more than 5 minutes ago by the clock of the service. It waited in a queue, was repeated too late, or the clock of the signer is slow.',
    fix: 'Sign immediately before you send. If it happens with fresh requests, compare your clock with `details.server_time` or the `Date` header of a response, and correct it with NTP. Do not sign requests in advance.',
  },
  TIMESTAMP_IN_FUTURE: {
    happened:
      'The timestamp is more than 30 seconds ahead of the clock of the service: the clock of the signer is fast.',
    fix: 'Synchronize the clock with NTP. If you cannot, take the time from the `Date` header of a response and sign with that; the client package accepts it as `createClient({ now })`. Check the zone too: local time with a `Z` appended is off by hours.',
  },
  PUBLIC_KEY_INVALID: {
    happened:
      'A public key is not 64 hex characters, or does not encode an Ed25519 point of prime order. Keys of small or mixed order are refused because other signatures verify under them.',
    fix: 'Send the 32 raw bytes of an Ed25519 public key in hex. Export the raw key: PEM, DER (44 bytes), JWK and base64 must be converted first. Use the key pair as your library generated it.',
  },
  DOMAIN_INVALID: {
    happened:
      'The domain does not follow the rules: 64 characters at most, parts of the letters a to z, digits and inner hyphens, and the suffix of this service at the end.',
    fix: 'Use a domain such as `river-42.bsp`. Letters with accents, underscores, spaces and other suffixes are refused. Capital letters are accepted and stored in lower case.',
  },
  DOMAIN_RESERVED: {
    happened: 'A part of the domain is reserved for the service: `bsp`, `institute`, `registry`, `admin` or `root`.',
    fix: 'Choose another name. A longer word that contains a reserved one is accepted, such as `registry-lab.bsp`.',
  },
  SCOPE_REQUIRED: {
    happened:
      '`scope` or its `intents` are missing or empty. A consent without a scope would not state what it allows.',
    fix: 'Send `scope` with at least one intent and one category, such as `{"intents": ["READ_RECORDS"], "categories": ["BSP-CV"]}`.',
  },
  CATEGORIES_REQUIRED: {
    happened:
      '`scope.categories` is missing or empty, or none of the categories has one of the levels in `scope.levels`. Nothing is granted by omission.',
    fix: 'Name at least one category code, or `["*"]` for all. If you limit `levels`, check that a named category has biomarkers of that level.',
  },
  RECOVERY_THRESHOLD_INVALID: {
    happened: 'The recovery configuration has a `threshold` other than 2.',
    fix: 'Send 2 or leave the member out. The number of guardians can be two or three; two of them are always enough to recover.',
  },
  RECORDS_REQUIRED: {
    happened: '`records` is missing or an empty list.',
    fix: 'Send 1 to 100 records in one batch. If there is nothing to submit, do not send a request.',
  },

  SIGNATURE_MISSING: {
    happened:
      'The request needs a signature and has none: the member `signature`, or for a signed GET the header `X-Signature`, is missing or empty.',
    fix: 'Sign the canonical message and send the signature in base64. If a proxy is in between, check that it passes on headers that begin with `X-`.',
  },
  INVALID_SIGNATURE: {
    happened:
      'The signature does not verify: the signed message differs from the one the service built from your request, another key signed it, or the signature is not 64 bytes in base64 with padding.',
    fix: 'Compare `details.expected_key` with your public key. If it is another, you signed with an old or wrong key. Then compare `details.message_sha256` with the SHA-256 of the message that you signed. If they differ, the signature check of this reference shows the first byte that differs.',
  },
  SIGNATURE_DOES_NOT_COVER_RECORDS: {
    happened:
      'The signature is valid for the message of an older SDK, which contains only the number of records. It does not protect their content, so the service refuses it.',
    fix: 'Sign `records` itself, exactly as you send it. Only the operator can allow the old message for a transition, with `ACCEPT_COUNT_ONLY_SUBMISSIONS`.',
  },
  CONSENT_REQUIRED: {
    happened: 'Records are submitted, read or exported under a consent, and the request does not name one.',
    fix: 'Send `consentToken` with the id of a consent that the holder granted to you; for a GET in the header `X-Consent-Token`. It is a signed field. An institution lists the consents it received with `listReceived`.',
  },
  TOKEN_NOT_FOUND: {
    happened: 'No consent has this id.',
    fix: 'Check that all of the id was copied, beginning with `tok_`, and that it is from this service: a test network has other consents. SDK 3.0 returned numbers as ids, which are not valid here.',
  },
  TOKEN_REVOKED: {
    happened:
      'The holder withdrew the consent, or it ended because the identity or the institution was destroyed. Withdrawal takes effect at once.',
    fix: 'Stop using it. Ask the holder for a new consent if you still need one. The events of your institution report withdrawals as `consent.revoked`.',
  },
  TOKEN_EXPIRED: {
    happened: 'The consent reached its `expires_at`.',
    fix: 'Ask the holder for a new consent. Read `expires_at` when you receive a consent, and ask before it ends.',
  },
  INSTITUTE_KEY_MISSING: {
    happened: 'The request is a decision or a read of the institute and has no institute key.',
    fix: 'Send one of the three keys of the institute in the header `X-Institute-Key`. Other integrators cannot use these requests.',
  },
  INSTITUTE_KEY_INVALID: {
    happened:
      'The header `X-Institute-Key` has a value that is none of the keys of the institute, or this service has no institute keys.',
    fix: 'Check that the key is for this service and that no space or line break was copied with it. The operator configures the keys.',
  },

  INTENT_NOT_AUTHORIZED: {
    happened: 'The consent is valid, but its intents do not include what the request does, such as `READ_RECORDS`.',
    fix: 'Read the consent with `GET /api/consent/{tokenId}` and look at `scope.intents`. Ask the holder for a consent with the intent that you need; an existing consent cannot be extended.',
  },
  CATEGORY_NOT_AUTHORIZED: {
    happened:
      'The request names a category, biomarker or level that the consent does not cover, or submits a record in one. Nothing was returned or stored.',
    fix: 'Limit the request to `scope.categories` and `scope.levels` of the consent. Without a filter, a read returns what the consent covers.',
  },
  PERIOD_NOT_AUTHORIZED: {
    happened:
      'The request goes beyond the period of the consent: `from` or `to`, or the collection date of a submitted record.',
    fix: 'Use dates inside `details.period`. Without `from` and `to`, a read returns what lies inside the period.',
  },
  CONSENT_LIMIT_REACHED: {
    happened: 'The identity has 10,000 active consents. Nothing was granted.',
    fix: 'Withdraw consents that are not needed any more: one by one, all of an institution, or all with one intent. Those that expire or whose institution ends make room too.',
  },
  RECORD_LIMIT_REACHED: {
    happened: 'The consent has `max_records`, and the batch would exceed it. No record of the batch was stored.',
    fix: '`details.max_records` and `details.submitted` show how many are left. Send a smaller batch, or ask the holder for a new consent.',
  },
  PASSCODE_INVALID: {
    happened:
      'The share has a passcode, and the manifest request has none or a wrong one. A wrong one uses one of 10 attempts in the life of the share; none uses no attempt.',
    fix: 'Ask the person who shared for the passcode, and send it as `passcode`. `remainingAttempts` is how many are left; afterwards the share has ended.',
  },
  SHARE_LIMIT_REACHED: {
    happened: 'The identity has 20 shares that can still be opened.',
    fix: 'Stop a share that is no longer needed, or wait until one has ended or is used up.',
  },
  STORAGE_LIMIT_REACHED: {
    happened:
      'The batch would exceed a storage limit of the operator: for this person, for your institution, or for the whole service. The batch was refused as a whole.',
    fix: '`details.quota` names the limit, `details.limit` and `details.used` its figures in bytes. Ask the operator to raise it. Repeating the request does not help.',
  },
  INTENT_NOT_ALLOWED_FOR_TYPE: {
    happened:
      'The type of the institution excludes the use, whatever the consent says. For example, a `WEARABLE` never reads records, a `PLATFORM` never submits them, and a consent for an `INSURER` must expire.',
    fix: 'The sentence of the error names the rule. Grant a consent that fits the type; the type of an institution cannot be changed after its creation.',
  },
  IEO_NOT_ACTIVE: {
    happened:
      'The institution is suspended or its registration was revoked by the institute, so it can neither receive consents nor exchange records.',
    fix: 'Read the institution with `GET /api/ieos/{ieoId}` to see its status. A suspended institution can rotate its key or destroy itself; ask the institute for the rest.',
  },
  NOT_TOKEN_OWNER: {
    happened: 'The identity in the request, `beoId` or `targetBeo`, is not the holder of the consent.',
    fix: 'Read the consent and send the identity that granted it. If you store consents by patient, check that the token and the identity belong together.',
  },

  BEO_NOT_FOUND: {
    happened: 'No identity has this id, domain or transaction id.',
    fix: 'Check the spelling and the service: a test network has other identities. After creating an identity use the `beo_id` of the response. SDK 3.0 returned numeric ids, which are not valid here.',
  },
  IEO_NOT_FOUND: {
    happened: 'No institution has this id, domain or transaction id.',
    fix: 'Search for the institution by name with `GET /api/ieos/search`, and use its `ieo_id`. SDK 3.0 returned numeric ids, which are not valid here.',
  },
  PROPOSAL_NOT_FOUND: {
    happened: 'The institute has no proposal with this id.',
    fix: 'List the proposals with `GET /api/ieo/proposals` and an institute key, and use `proposal_id`.',
  },
  TRANSACTION_NOT_FOUND: {
    happened: 'The ledger of this service has no entry with this transaction id.',
    fix: 'Use the `transactionId` of an accepted operation: 43 characters. A request that got an error has no entry. Check that you ask the service that accepted the operation.',
  },
  LINK_NOT_FOUND: {
    happened: 'The token in the address belongs to no link. It was shortened, changed, or never existed.',
    fix: 'Use all of the link as it was returned. The service stores only a digest of it and cannot show it again: the holder invites the guardian again, or a new recovery is requested.',
  },
  NOT_FOUND: {
    happened: 'No route of the API has this path.',
    fix: 'Compare the path with this reference. Frequent causes are a missing `/api`, a singular instead of a plural such as `/api/beo` for a read, and an empty parameter in the path.',
  },

  METHOD_NOT_ALLOWED: {
    happened: 'The path exists, but not with this HTTP method.',
    fix: 'The header `Allow` of the response lists the methods. Revocations are sent with `DELETE` and a JSON body; some HTTP clients drop the body of a DELETE unless told otherwise.',
  },
  BODY_TOO_LARGE: {
    happened:
      'The body exceeds the limit of the operation: 1 MiB for a submission of records, 256 KiB for everything else.',
    fix: '`details.max_bytes` has the limit. Split the records into smaller batches, each signed by itself.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    happened: 'The header `Content-Type` names something other than JSON, such as a form.',
    fix: 'Send `Content-Type: application/json`. curl sends a form with `-d` unless you add the header.',
  },

  NONCE_REUSED: {
    happened:
      'The key has already used this nonce: the same request arrived twice, or two requests share a nonce. A request that was refused after its signature was verified has used its nonce too.',
    fix: 'If you repeated a request whose response was lost, it was accepted the first time: `details.transactionId` is its entry. If that is null, or this is another request, sign again with a new nonce.',
  },
  DOMAIN_TAKEN: {
    happened: 'Another identity or institution has the domain, or had it: a domain is never given twice.',
    fix: 'Choose another domain. The domain of a destroyed identity or institution is never free again.',
  },
  PUBLIC_KEY_TAKEN: {
    happened:
      'The key already has a part in this identity: it is the key of the holder or of another guardian. One key cannot be two of them.',
    fix: 'Use another key. Guardians are different people with keys of their own.',
  },
  KEY_UNCHANGED: {
    happened: 'The new key is the current key, so there is nothing to change.',
    fix: 'Generate a new key pair and send its public key. Check that the program does not send the old key twice.',
  },
  ALREADY_LOCKED: {
    happened: 'The identity or institution is locked already.',
    fix: 'Nothing needs to be done. If this was a repetition with a new nonce, the first request succeeded.',
  },
  NOT_LOCKED: {
    happened: 'The identity or institution is not locked, so it cannot be unlocked.',
    fix: 'Nothing needs to be done. Read the entity to see its status before you unlock.',
  },
  DUPLICATE_TOKEN: {
    happened: 'The grantee already has a valid consent of this holder with the same scope.',
    fix: '`details.token_id` is the existing consent: use it. For another expiry, revoke it and grant a new one.',
  },
  TOKEN_ALREADY_REVOKED: {
    happened: 'The consent has been withdrawn before.',
    fix: 'Nothing needs to be done. If this was a repetition with a new nonce, the first request succeeded.',
  },
  GUARDIAN_LIMIT: {
    happened: 'The identity has three guardians or open invitations, the most that are possible.',
    fix: 'Remove one with `updateBEORecovery`, or wait until an invitation expires after 72 hours, and invite again.',
  },
  GUARDIAN_ROLE_TAKEN: {
    happened:
      'Another guardian or open invitation has the role `primary`, `secondary` or `tertiary` that the request names.',
    fix: 'Choose a free role, or remove the guardian who has it with `updateBEORecovery`. The roles have equal rights.',
  },
  ALREADY_CONFIRMED: {
    happened: 'The guardian, the recovery or the requirement was confirmed before, by the same key.',
    fix: 'Nothing needs to be done. For a recovery, the details state how many confirmations are there and how many are needed.',
  },
  ALREADY_APPROVED: {
    happened:
      'The institute key of this request has already approved the proposal. Opening a proposal is its first approval.',
    fix: 'A different key of the institute must approve. If this was a repetition, the first approval was recorded; use `Idempotency-Key` to repeat safely.',
  },
  RECOVERY_NOT_CONFIGURED: {
    happened:
      'Fewer than two guardians of the identity can take part in a recovery now. Invitations that were not accepted do not count, nor do guardians who must still be confirmed where the holder requires it.',
    fix: 'While the holder still has the key: invite guardians with `inviteGuardian`, wait until they accept, and confirm them. Without the key and without two guardians nobody can recover the identity.',
  },
  RECOVERY_COOLDOWN: {
    happened:
      'There are several causes. The identity was recovered less than 24 hours ago: until then it cannot be destroyed and its guardians cannot be changed. Two recoveries were cancelled in the 7 days before this one was requested. No guardian has confirmed it yet, and a removed guardian may still confirm. Or ten addresses that were removed from the alerts are still told of recoveries.',
    fix: 'After a recovery, wait until the time in `details.until`, then sign and send again; other operations are possible now. A request for recovery that cannot be cancelled stays open: call the guardians. Requests opened after `details.until` can be cancelled.',
  },
  WRONG_LEDGER: {
    happened:
      'The signed `ledgerId` is the id of another ledger. It keeps a request for one service, such as a test network, from being accepted by another.',
    fix: 'Read `ledger_id` of `GET /api/ledger` at the base URL that you send to, and sign it. `details.ledger_id` has it too. Do not keep one id for several environments.',
  },

  BEO_DESTROYED: {
    happened:
      'The holder destroyed the identity. It accepts no operation, its consents have ended, and its records are erased.',
    fix: 'Remove it from your system. This cannot be undone.',
  },
  IEO_DESTROYED: {
    happened: 'The institution destroyed itself. It has no key any more, and its consents have ended.',
    fix: 'Remove it from your system, or register a new institution with a new domain. This cannot be undone.',
  },
  LINK_EXPIRED: {
    happened:
      'The link has expired: 72 hours have passed, or something later replaced it. `details.reason` states which, for example `SUPERSEDED`, `DESTROYED` or `RESTORED`.',
    fix: 'Ask for a new link: the holder sends another invitation with `inviteGuardian`, or a new recovery is opened with `requestRecovery`.',
  },
  LINK_USED: {
    happened: 'The invitation has been accepted or the recovery confirmed with this link.',
    fix: 'Nothing needs to be done if you used it. If you did not, tell the holder: somebody else has the link.',
  },
  REQUEST_CLOSED: {
    happened:
      'The recovery or proposal was executed, the holder cancelled the recovery (`details.cancelled_at`), or it closed because its time ended: 72 hours for a recovery, seven days for a proposal.',
    fix: 'Read the identity or the proposal to see the outcome. If it is still needed, open a new one.',
  },

  RECORD_INVALID: {
    happened:
      'At least one record of the batch has an unknown biomarker, a wrong unit, an impossible value or date, or a member of the wrong type. No record of the batch was stored.',
    fix: '`details.records` lists each problem with the `index` of the record, the `path` and a `message`. Correct or remove these records, sign the new batch and send it.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    happened:
      'The `Idempotency-Key` belongs to another decision than the one in this body. `details.transactionId` is the entry of that decision.',
    fix: 'Use a new key for every decision, and the same key only to repeat the same body.',
  },
  TOO_MANY_RECORDS: {
    happened: 'The batch has more than 100 records. None was stored.',
    fix: 'Split the records into batches of at most 100, each signed by itself with a nonce of its own. Keep to the rate limit of submissions.',
  },

  BEO_LOCKED: {
    happened:
      'The holder locked the identity. Until it is unlocked, its consents cannot be used and most of its operations are refused.',
    fix: 'Wait. Only the holder, or guardians who recover the identity, can unlock it. The events of your institution report it as `beo.unlocked`.',
  },
  IEO_LOCKED: {
    happened:
      'The institution locked itself. Until it is unlocked, it can neither receive consents nor exchange records.',
    fix: 'Send `unlockIEO`, signed with the key of the institution. If the key was stolen, rotate it first.',
  },

  RATE_LIMITED: {
    happened:
      'Your address, or your key, has sent more requests within 60 seconds than the group of this route allows. The request was not processed.',
    fix: 'Wait for the seconds in `Retry-After`, then sign again and send: where the limit counts per key, the nonce has been used. Put writes into a queue that keeps below the limit: most groups allow 10 a minute. `RateLimit` in every response shows what is left.',
  },
  INTERNAL: {
    happened: 'The service failed in a way it did not expect. For a write, the outcome may be unknown.',
    fix: 'Repeat the same signed request within 5 minutes: `NONCE_REUSED` then means that the first one was accepted. If it fails again, report the `request_id` to the operator.',
  },
  INTEGRITY_FAILED: {
    happened:
      'Stored data was changed or removed outside the service, and its check failed. The service returns nothing rather than incomplete data.',
    fix: 'Report the `request_id` to the operator. Repeating the request does not help.',
  },
  UNAVAILABLE: {
    happened:
      'The database or another part is not reachable, the service is starting, or another request changed the same entity at the same moment.',
    fix: 'Wait for the seconds in `Retry-After` and repeat the same signed request while it is less than 5 minutes old. `GET /ready` shows whether the service accepts writes.',
  },
};
