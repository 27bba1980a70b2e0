import { z } from 'zod';
import { sha256 } from '#digests';
import { latestDay, parseCollected } from '../clinical/collected.ts';
import { RECORD_WARNINGS, type RecordWarningCode } from '../clinical/record-warnings.ts';
import { refusal } from '../errors.ts';
import { defineOperation, withoutTimestamp } from '../operation.ts';
import {
  COLLECTED_AHEAD_MS,
  invalidRecords,
  MAX_RECORD_BYTES,
  MAX_RECORDS,
  recordIssues,
  type SubmittedRecord,
  submittedRecord,
} from '../records/record.ts';
import { recordProblem } from '../records/record-problems.ts';
import { collectedAtOf, commitmentOf, timeMemberOf } from '../records/submitted.ts';
import { requireTokenUse } from '../records/token-use.ts';
import { list, time, transactionId, uuid } from '../response-shapes.ts';
import { describedBy, entityReference, required, tokenReference } from '../shapes.ts';
import { canonicalPart, isObject, type Json } from '../signing/canonical-json.ts';
import { bytesToHex, utf8ToBytes } from '../signing/encoding.ts';

const fields = z.strictObject({
  targetBeo: entityReference,
  consentToken: required('CONSENT_REQUIRED', tokenReference),
  records: required(
    'RECORDS_REQUIRED',
    describedBy(
      z.custom<unknown[]>(Array.isArray, { error: 'must be a list of records' }),
      z.array(submittedRecord).min(1).max(MAX_RECORDS),
    ),
  ),
});

const sealedFacts = z
  .strictObject({
    timestamp: z.string(),
    targetBeo: z.string(),
    consentToken: z.string(),
    commitments: z
      .array(z.string().regex(/^[0-9a-f]{64}$/))
      .min(1)
      .max(MAX_RECORDS),
    ciphertexts: z.array(z.base64()).optional(),
  })
  .refine(({ commitments, ciphertexts }) => !ciphertexts || ciphertexts.length === commitments.length);

const RECORD_WARNING_CODES = Object.keys(RECORD_WARNINGS) as RecordWarningCode[];

const recordWarning = z
  .object({ index: z.int().min(0), code: z.enum(RECORD_WARNING_CODES), message: z.string() })
  .meta({ id: 'RecordWarning', description: 'Something about an accepted record that a person should look at.' });

type PublicFacts = Omit<z.infer<typeof sealedFacts>, 'timestamp'>;

/**
 * An institution submits a batch of records about a person; all are stored or none. Sealed: the ledger shows one commitment per
 * record. server/features/records checks the scope of the consent, the transition the token and its limit. Protocol §1, §7, §8, §10.
 */
export const submitRecords = defineOperation<z.infer<typeof fields>, PublicFacts>()({
  name: 'submitRecords',
  function: 'submitRecords',
  title: 'Submit records',
  routes: [{ method: 'POST', path: '/api/exchange/records', limit: 'exchange_submit' }],
  status: 201,
  fields,
  hints: { recordCount: z.int({ error: 'must be a whole number' }).nullish() },
  mustName: { field: 'targetBeo', role: 'holder', code: 'NOT_TOKEN_OWNER' },
  subjects: {
    token: { kind: 'TOKEN', field: 'consentToken' },
    holder: { kind: 'BEO', of: 'token', member: 'beoId' },
    grantee: { kind: 'IEO', of: 'token', member: 'grantee' },
  },
  about: { role: 'token' },
  signer: { role: 'grantee' },
  expectedKey: 'grantee',
  events: ['records.superseded'],

  examine({ records }, now) {
    if (records.length > MAX_RECORDS) {
      return refusal('TOO_MANY_RECORDS', undefined, { records: records.length, most: MAX_RECORDS });
    }
    const tooLarge = sizeIssues(records as Json[]);
    const large = new Set(tooLarge.map(({ index }) => index));
    // Records that are too large are not checked further: that would take too long.
    const issues = [...tooLarge, ...recordIssues(records as Json[], large), ...futureIssues(records as Json[], now)];
    return issues.length === 0 ? null : invalidRecords(issues, records.length);
  },

  countOnlyMessage: ({ records, ...rest }) => ({ ...rest, recordCount: Array.isArray(records) ? records.length : 0 }),

  publicFacts: () => {
    throw refusal('INTERNAL');
  },

  sealed: {
    publicFacts: sealedFacts.transform(withoutTimestamp),
    seal({ targetBeo, consentToken, records }, ids, _, newSalt) {
      const sealed = (records as SubmittedRecord[]).map((submitted, index) => {
        const canonical = canonicalPart(submitted as Json);
        const salt = newSalt();
        const dataHash = sha256(canonical);
        const record = { recordId: ids.recordId(index), submitted, salt: bytesToHex(salt), dataHash };
        return { record, commitment: commitmentOf(salt, canonical) };
      });
      return {
        publicFacts: { targetBeo, consentToken, commitments: sealed.map(({ commitment }) => commitment) },
        rows: [],
        invited: [],
        records: sealed.map(({ record }) => record),
      };
    },
  },

  transition(entities, { entityId, subjects, publicFacts: { commitments }, acceptedAt }) {
    const { token } = requireTokenUse(entities, { token: entityId, ...subjects }, 'SUBMIT_RECORD', acceptedAt);
    const { max_records } = token.scope;
    const submitted = token.submitted + commitments.length;
    if (max_records !== null && submitted > max_records) {
      throw refusal('RECORD_LIMIT_REACHED', undefined, { max_records, submitted: token.submitted });
    }
    return { changes: [{ ...token, submitted }] };
  },

  errors: [
    'CONSENT_REQUIRED',
    'RECORDS_REQUIRED',
    'TOO_MANY_RECORDS',
    'RECORD_INVALID',
    'BEO_LOCKED',
    'IEO_LOCKED',
    'IEO_NOT_ACTIVE',
    'TOKEN_REVOKED',
    'TOKEN_EXPIRED',
    'INTENT_NOT_AUTHORIZED',
    'INTENT_NOT_ALLOWED_FOR_TYPE',
    'CATEGORY_NOT_AUTHORIZED',
    'PERIOD_NOT_AUTHORIZED',
    'RECORD_LIMIT_REACHED',
    'STORAGE_LIMIT_REACHED',
    'INTEGRITY_FAILED',
  ],
  response: z.object({
    request_id: z.string(),
    status: z.literal('SUCCESS'),
    record_ids: list(uuid).describe('The ids of the records, in the order in which they were sent.'),
    arweave_txs: z.array(transactionId).describe('For each record the id of the ledger entry, `transactionId`.'),
    tx_hashes: z.array(transactionId).describe('The same as `arweave_txs`.'),
    timestamp: time,
    warnings: list(recordWarning).describe('What is possible but unusual: a person should look at it.'),
  }),
  answer: ({ transactionId, requestId, recordIds, acceptedAt, warnings }) => ({
    request_id: requestId,
    status: 'SUCCESS' as const,
    record_ids: recordIds,
    arweave_txs: recordIds.map(() => transactionId),
    tx_hashes: recordIds.map(() => transactionId),
    timestamp: acceptedAt,
    warnings,
  }),
});

/** Whether a record has more than `most` values, and so more bytes. Stops counting there: cheaper than encoding the record. */
function hasMoreValues(record: Json, most: number): boolean {
  let left = most;
  const isOver = (value: Json): boolean => {
    if (--left < 0) return true;
    if (value === null || typeof value !== 'object') return false;
    return Array.isArray(value) ? value.some(isOver) : Object.values(value).some(isOver);
  };
  return isOver(record);
}

const sizeIssues = (records: readonly Json[]) =>
  records.flatMap((record, index) => {
    if (hasMoreValues(record, MAX_RECORD_BYTES)) return [{ index, path: '', message: recordProblem('tooLarge') }];
    const canonical = canonicalPart(record);
    return canonical.length > MAX_RECORD_BYTES / 4 && utf8ToBytes(canonical).length > MAX_RECORD_BYTES
      ? [{ index, path: '', message: recordProblem('tooLarge') }]
      : [];
  });

function futureIssues(records: readonly Json[], now: number) {
  const lastDay = latestDay(now);
  return records.flatMap((record, index) => {
    const collected = isObject(record) ? parseCollected(collectedAtOf(record) ?? '') : null;
    if (!isObject(record) || !collected) return [];
    const isAhead = collected.day === null ? collected.at > now + COLLECTED_AHEAD_MS : collected.day > lastDay;
    return isAhead ? [{ index, path: timeMemberOf(record), message: recordProblem('future') }] : [];
  });
}
