import { canonicalJson, type Json } from '../protocol/signing/canonical-json.ts';
import { toBase64Url } from '../protocol/signing/encoding.ts';
import { MAX_AGE_MS } from '../protocol/time.ts';
import { IntegrityError, PerpetuaError } from './errors.ts';
import { type Http, type HttpRequest, isOverLimit, isTemporary, jsonOf, parsed } from './http.ts';
import type { Signer } from './keys.ts';
import type { LedgerReads } from './ledger.ts';
import { containsRequest, type Entry, type Place, receiptInvalid, requireRequest } from './receipts.ts';
import type { Row } from './rows.ts';
import { type SignedRequest, signRequest, strictFields } from './sign.ts';
import { cannotSign } from './strict-json.ts';

export interface WriteOptions {
  /** The key that signs; by default the client's. */
  readonly key?: Signer;
  /** For decisions of the institute; by default the client's. */
  readonly instituteKey?: string;
  /** The token or the URL of a guardian's link, for acceptGuardian and confirmRecovery. */
  readonly link?: string;
  /** Goes on with an earlier call with the same fields, instead of signing a new request: `unanswered` of its UnansweredError. */
  readonly unanswered?: Unanswered;
  readonly signal?: AbortSignal;
}

/** A signed request that was sent. */
interface SentRequest {
  readonly request: SignedRequest;
  /** The highest entry that was verified before the request was signed. */
  readonly before: Place | null;
}

/** A decision of the institute that was sent. */
interface SentDecision {
  readonly idempotencyKey: string;
  /** When it was first sent: milliseconds since 1970. */
  readonly sentAt: number;
  readonly before: Place | null;
}

/** A write that was sent and may have been accepted. It is plain JSON. */
export type Unanswered = SentRequest | SentDecision;

/**
 * A write whose outcome is not known. Call the method again with its `unanswered`, within five minutes, to learn it: the write is
 * accepted at most once. The code is OUTCOME_UNKNOWN, or that of the last attempt.
 */
export class UnansweredError extends PerpetuaError {
  readonly unanswered: Unanswered;

  constructor(cause: PerpetuaError, unanswered: Unanswered, code: PerpetuaError['code'] = cause.code) {
    const isOutcome = code === 'OUTCOME_UNKNOWN';
    const sent = 'request' in unanswered ? unanswered.request : null;
    super(code, isOutcome ? `It is not known whether the operation was accepted: ${cause.message}` : cause.message, {
      cause,
      status: isOutcome ? null : cause.status,
      requestId: cause.requestId,
      retryAfter: cause.retryAfter,
      details: isOutcome && sent ? { signature: sent.signature, timestamp: sent.timestamp } : cause.details,
    });
    this.unanswered = unanswered;
  }
}

/** What every accepted operation returns. */
export interface Accepted {
  /** Final; the id of the entry. */
  readonly transactionId: string;
  /** The signed entry, base64. Store it: it proves that the operation was accepted. The client has verified it. */
  readonly receipt: string;
  /** The verified receipt. */
  readonly entry: Entry;
  /** Hex; only where the entry is sealed. It is returned once: store it with the receipt. */
  readonly salt?: string;
}

/**
 * An accepted operation with the members of its response. If the response was lost, and the server stated on repetition that it had
 * accepted the request, `responseLost` is true and these members are absent, except the id of a created identity or institution.
 */
export type Written<Answer> =
  | (Accepted & { readonly responseLost: false } & Answer)
  | (Accepted & { readonly responseLost: true } & Pick<Answer, keyof Answer & ('beo_id' | 'ieo_id')> & {
        readonly [Member in Exclude<keyof Answer, 'beo_id' | 'ieo_id'>]?: undefined;
      });

/** A request that was done without a ledger entry: cancelRecovery of a request that no guardian had confirmed. It has no receipt. */
export type WithoutEntry<Answer> = {
  readonly transactionId: null;
  readonly receipt: null;
  readonly entry: null;
  readonly responseLost: false;
} & Answer;

export interface WriteParts {
  readonly http: Http;
  readonly ledger: LedgerReads;
  readonly key: Signer | null;
  readonly instituteKey: string | null;
}

type Fields = Readonly<Record<string, unknown>>;
type JsonFields = Readonly<Record<string, Json>>;
type Answer = Readonly<Record<string, unknown>> &
  ((Accepted & { readonly responseLost: boolean }) | WithoutEntry<unknown>);

/** Sends an operation until its outcome is known. @throws {PerpetuaError} */
export async function write(parts: WriteParts, row: Row, fields: Fields, options: WriteOptions): Promise<Answer> {
  const given = strictFields(fields);
  const path = pathOf(row, given, options.link);
  return row.byInstitute ? decide(parts, row, path, given, options) : operate(parts, row, path, given, options);
}

/** Sends the same bytes until a response arrives: the nonce keeps them from being accepted twice. */
async function operate(
  { http, ledger, key: ownKey }: WriteParts,
  row: Row,
  path: string,
  fields: JsonFields,
  { key = ownKey ?? undefined, unanswered, signal }: WriteOptions,
): Promise<Answer> {
  if (!key) throw new PerpetuaError('CANNOT_SIGN', `${row.name} needs a key.`);
  const earlier = unanswered && requestIn(unanswered, fields);
  const { ledgerId } = await ledger.known(signal).catch(unknownWhere(earlier));
  const sign = async (): Promise<SentRequest> => ({
    before: ledger.trusted()?.head ?? null,
    request: await signRequest(functionOf(row), fields, { key, ledgerId, now: http.now(), unsigned: row.unsigned }),
  });
  let sent = earlier ?? (await sign());
  /** Whether an attempt with these bytes may have been accepted. */
  let uncertain = earlier !== undefined;
  for (let attempt = 1; ; attempt++) {
    const body = canonicalJson(sent.request.body);
    const outcome = await attemptOf(http, { method: row.method ?? 'POST', path, body, signal });
    if (!(outcome instanceof PerpetuaError) && row.mayNeedNoEntry && outcome.receipt === null)
      return { ...outcome, transactionId: null, receipt: null, entry: null, responseLost: false };
    if (!(outcome instanceof PerpetuaError))
      return accepted(ledger, row, outcome, sent, signal).catch(unknownWhere(sent));
    const firstUse = await findFirstUse(ledger, row, sent, outcome, uncertain, signal).catch(unknownWhere(sent));
    if (firstUse) return responseLost(row, firstUse);
    if (uncertain && outcome.code === 'NONCE_REUSED') {
      // The first use was refused and its reason lost. A new request brings it to light.
      uncertain = false;
    } else {
      if (uncertain && TOO_EARLY_TO_TELL.has(outcome.code)) throw outcomeUnknown(outcome, sent);
      uncertain ||= isTemporary(outcome) && !isOverLimit(outcome);
      await http.wait(outcome, attempt, signal).catch((error: unknown) => {
        if (error !== outcome) throw error;
        if (uncertain && isTemporary(outcome)) throw outcomeUnknown(outcome, sent);
        throw isAnswer(outcome) ? outcome : new UnansweredError(outcome, sent);
      });
    }
    if (!uncertain) sent = await sign();
  }
}

const functionOf = ({ name, function: signed = name }: Row): string => signed;

/** The request of an earlier call. @throws {PerpetuaError} ARGUMENT_INVALID unless it is signed and has these fields */
function requestIn(unanswered: Unanswered, fields: JsonFields): SentRequest {
  if ('request' in unanswered) {
    const { nonce, timestamp, ledgerId, signature, ...given } = unanswered.request.body;
    if (canonicalJson(given) === canonicalJson(fields)) return unanswered;
  }
  throw new PerpetuaError('ARGUMENT_INVALID', 'unanswered is of another call: the fields differ.');
}

/** Whether the API refused the request. After a failure of the server, or a response of something before it, that is not known. */
const isAnswer = ({ code, status }: PerpetuaError): boolean => code !== 'UNEXPECTED_RESPONSE' && (status ?? 0) < 500;

/** For what fails for now while a request is on its way: its outcome is not known. */
const unknownWhere =
  (sent: SentRequest | undefined) =>
  (error: unknown): never => {
    throw sent && isTemporary(error) ? outcomeUnknown(error, sent) : error;
  };

/** Refusals that precede the check of the nonce (protocol §5), so that they do not show whether an earlier copy was accepted. */
const TOO_EARLY_TO_TELL: ReadonlySet<string> = new Set([
  'TIMESTAMP_TOO_OLD',
  'BEO_NOT_FOUND',
  'IEO_NOT_FOUND',
  'NOT_FOUND',
  'BEO_DESTROYED',
  'IEO_DESTROYED',
  'INVALID_SIGNATURE',
  'LINK_USED',
  'LINK_EXPIRED',
  'REQUEST_CLOSED',
]);

/** The response, or the error of one attempt. An incomplete response counts as none. */
async function attemptOf(http: Http, request: HttpRequest): Promise<JsonFields | PerpetuaError> {
  try {
    const text = await http.send(request);
    const body = parsed(text);
    return isObject(body) ? body : new PerpetuaError('NO_RESPONSE', 'The response is not complete.');
  } catch (error) {
    if (error instanceof PerpetuaError) return error;
    throw error;
  }
}

/** The entry of an earlier attempt whose response was lost, if this refusal shows that there is one. */
async function findFirstUse(
  ledger: LedgerReads,
  row: Row,
  { request, before }: SentRequest,
  { code, details }: PerpetuaError,
  uncertain: boolean,
  signal: AbortSignal | undefined,
): Promise<Entry | null> {
  if (code === 'NONCE_REUSED' && typeof details.transactionId === 'string') {
    const { entry } = await ledger.transaction(details.transactionId, signal);
    requireRequest(entry, functionOf(row), containsRequest(entry, request, null), before);
    return entry;
  }
  if (!uncertain || !TOO_EARLY_TO_TELL.has(code)) return null;
  const latest = await ledger.latestOf(row, request.body, signal);
  return latest && containsRequest(latest, request, null) ? latest : null;
}

const outcomeUnknown = (cause: PerpetuaError, sent: SentRequest): UnansweredError =>
  new UnansweredError(cause, sent, 'OUTCOME_UNKNOWN');

/** @throws {IntegrityError} RECEIPT_INVALID, LEDGER_FORKED, ENTRIES_ABANDONED */
async function accepted(
  ledger: LedgerReads,
  row: Row,
  body: JsonFields,
  { request, before }: SentRequest,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const entry = await receiptIn(ledger, body, signal);
  const salt = typeof body.salt === 'string' ? body.salt : null;
  if (entry.sealed !== null && salt === null)
    throw receiptInvalid('it is sealed, and the salt is missing', { item: entry.item });
  requireRequest(entry, functionOf(row), containsRequest(entry, request, salt), before);
  return remembered(ledger, body, entry, signal);
}

/**
 * The result. Its entry is remembered, unless the server does not answer any more, or the caller does not wait.
 * @throws {IntegrityError} with the result in `details`: its salt and its links are returned only once
 */
async function remembered(
  ledger: LedgerReads,
  body: JsonFields,
  entry: Entry,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const answer = { ...body, transactionId: entry.id, receipt: entry.item, entry, responseLost: false };
  try {
    await ledger.remember(entry, signal);
  } catch (error) {
    if (signal?.aborted) return answer;
    if (error instanceof IntegrityError)
      throw new IntegrityError(error.code, error.message, { ...error.details, answer });
    if (!(error instanceof PerpetuaError)) throw error;
  }
  return answer;
}

const receiptIn = (
  ledger: LedgerReads,
  { receipt, transactionId }: JsonFields,
  signal: AbortSignal | undefined,
): Promise<Entry> => ledger.read(String(receipt), String(transactionId), signal);

const responseLost = ({ createdId }: Row, entry: Entry): Answer => ({
  transactionId: entry.id,
  receipt: entry.item,
  entry,
  responseLost: true,
  ...(createdId ? { [createdId]: entry.entityId } : {}),
});

/* Authorized by a key of the institute --------------------------------------------------------------------------- */

const IDEMPOTENCY_KEY_BYTES = 24;

/** Not signed; the Idempotency-Key keeps a repetition from being accepted twice. */
async function decide(
  { http, ledger, instituteKey: ownKey }: WriteParts,
  row: Row,
  path: string,
  fields: JsonFields,
  { instituteKey = ownKey ?? undefined, unanswered, signal }: WriteOptions,
): Promise<Answer> {
  if (!instituteKey) throw new PerpetuaError('CANNOT_SIGN', `${row.name} needs an instituteKey.`);
  if (unanswered && !('idempotencyKey' in unanswered))
    throw new PerpetuaError('ARGUMENT_INVALID', 'unanswered is of another call: it is signed.');
  await ledger.known(signal);
  const sent = unanswered ?? {
    before: ledger.trusted()?.head ?? null,
    idempotencyKey: toBase64Url(crypto.getRandomValues(new Uint8Array(IDEMPOTENCY_KEY_BYTES))),
    sentAt: http.now(),
  };
  // The service forgets the key after NONCE_RETENTION_MS: a later repetition would be a second decision.
  if (http.now() - sent.sentAt > MAX_AGE_MS) throw tooLateToRepeat(sent);
  const headers = { 'x-institute-key': instituteKey, 'idempotency-key': sent.idempotencyKey };
  try {
    const text = await http.read(() => ({ method: 'POST', path, headers, body: canonicalJson(fields), signal }));
    const body = jsonOf<JsonFields>(text);
    const entry = await receiptIn(ledger, body, signal);
    const expected = canonicalJson({ ...fields, function: functionOf(row), approver: entry.message?.approver ?? null });
    const contained = entry.message !== null && entry.signer === null && canonicalJson(entry.message) === expected;
    requireRequest(entry, functionOf(row), contained, sent.before);
    return await remembered(ledger, body, entry, signal);
  } catch (error) {
    const isLost = error instanceof PerpetuaError && (isTemporary(error) || !isAnswer(error));
    throw isLost ? new UnansweredError(error, sent) : error;
  }
}

const tooLateToRepeat = (sent: SentDecision): UnansweredError =>
  new UnansweredError(
    new PerpetuaError('OUTCOME_UNKNOWN', 'it is too late to repeat the decision.'),
    sent,
    'OUTCOME_UNKNOWN',
  );

/* The address ---------------------------------------------------------------------------------------------------- */

function pathOf({ name, path, takes, needsLink }: Row, fields: JsonFields, link: string | undefined): string {
  if (needsLink && !link) throw new PerpetuaError('CANNOT_SIGN', `${name} needs the guardian's link.`);
  return path.replace(/:(\w+)/g, (_, parameter: string) => {
    const field = takes?.[parameter];
    const value = field === undefined ? tokenOf(link ?? '') : fields[field];
    if (typeof value !== 'string' || value === '') throw cannotSign(field ?? parameter, 'is part of the address');
    return encodeURIComponent(value);
  });
}

/** The token of a guardian's link, which is the last part of its path. */
export const tokenOf = (link: string): string => link.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';

const isObject = (value: unknown): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
