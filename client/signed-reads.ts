import { canonicalJson, type Json } from '../protocol/signing/canonical-json.ts';
import { givenOptions, isRecord, requireFields, requireSigner } from './arguments.ts';
import { PerpetuaError } from './errors.ts';
import { type Http, type HttpRequest, jsonOf } from './http.ts';
import type { Signer } from './keys.ts';
import type { LedgerReads } from './ledger.ts';
import type { Page } from './reads.ts';
import type { NewShare } from './shares.ts';
import { signRequest } from './sign.ts';
import { cannotSign } from './strict-json.ts';
import type * as responses from './types.ts';
import type { InstitutionEvent } from './types.ts';
import { tokenOf } from './write.ts';

export interface SignedReadOptions {
  /** The key that signs; by default the client's. */
  readonly key?: Signer;
  readonly signal?: AbortSignal;
}

export interface RecordsRequest {
  readonly targetBeo: string;
  readonly consentToken: string;
  /** The filters are not signed. */
  readonly categories?: readonly string[];
  readonly biomarkers?: readonly string[];
  readonly levels?: readonly string[];
  readonly status?: 'ACTIVE' | 'SUPERSEDED';
  /** Dates, or dates with a time and a zone. */
  readonly from?: string;
  readonly to?: string;
  /** 1 to 200; by default 100. */
  readonly limit?: number;
  readonly offset?: number;
}

export interface ExportRequest {
  readonly targetBeo: string;
  readonly consentToken: string;
  readonly format: 'JSON' | 'CSV' | 'FHIR_R4';
}

export interface EventsRequest {
  readonly ieoId: string;
  /** The next_cursor of the page before; absent for the first events. */
  readonly after?: string | null;
  readonly limit?: number;
}

export interface EventOptions extends SignedReadOptions {
  /** Called when all events before this cursor were taken. */
  readonly onCursor?: (cursor: string) => void;
}

/** The requests that need a signature and write no entry. Each attempt is signed anew. */
export interface SignedReads {
  /** A page of the records that a consent covers, newest collected first. */
  readRecords(request: RecordsRequest, options?: SignedReadOptions): Promise<responses.RecordPage>;
  /** All records that a consent covers, as one text. */
  sovereignExport(request: ExportRequest, options?: SignedReadOptions): Promise<responses.Export>;
  /** Who used consents on a holder's records; signed by the holder. */
  listAccess(
    request: { beoId: string; cursor?: string | null },
    options?: SignedReadOptions,
  ): Promise<responses.AccessPage>;
  /** The guardians of an identity with names and contacts; signed by the holder. */
  listGuardians(request: { beoId: string }, options?: SignedReadOptions): Promise<responses.GuardianList>;
  /** Where alerts of an identity go, and what they are about; signed by the holder, like the following. */
  listAlerts(request: { beoId: string }, options?: SignedReadOptions): Promise<responses.AlertList>;
  /** Sets them; not on the ledger. A new address gets a mail with a link, and alerts once that is confirmed. */
  setAlerts(
    request: {
      beoId: string;
      /** At most three. */
      addresses: readonly string[];
      /** By default all. Every confirmed address is alerted to recoveries besides. */
      kinds?: readonly responses.AlertList['kinds'][number][] | null;
      /** en, es or pt-BR; by default en. */
      language?: string | null;
    },
    options?: SignedReadOptions,
  ): Promise<responses.AlertList>;
  /** The identities that a key guards; signed by that key, which is `publicKey` if the field is absent. */
  listGuarded(request: { publicKey?: string }, options?: SignedReadOptions): Promise<responses.GuardedList>;
  listGuarded(options?: SignedReadOptions): Promise<responses.GuardedList>;
  /** Checks that a guardian's key is still there; signed by that key. `challenge` is that of listGuarded, valid for an hour. */
  attestGuardian(
    request: { guardianId: string; challenge: string },
    options?: SignedReadOptions,
  ): Promise<responses.GuardianAttestation>;
  /** Begins a practice of a recovery, which changes nothing; signed by the holder. The new key is never used. */
  startPractice(
    request: { beoId: string; newPublicKey: string },
    options?: SignedReadOptions,
  ): Promise<responses.StartedPractice>;
  /** Practises a confirmation; signed by the guardian. `link` is that of startPractice, or its token. */
  practiseRecovery(
    request: { practiceId: string; newPublicKey: string },
    options: SignedReadOptions & { readonly link: string },
  ): Promise<responses.PractisedRecovery>;
  /** The consents that an institution received; signed by the institution. */
  listReceived(request: { ieoId: string } & Page, options?: SignedReadOptions): Promise<responses.ReceivedPage>;
  /** A page of an institution's events, oldest first; signed by the institution. `limit` 1 to 1000, by default 100. */
  readEvents(request: EventsRequest, options?: SignedReadOptions): Promise<responses.EventPage>;
  /** All events after a cursor, until there are no more. Store the cursors: the next run goes on from the last one. */
  events(request: EventsRequest, options?: EventOptions): AsyncGenerator<InstitutionEvent, void>;
  /** Asks the institute for a certification, in place of an earlier request; not on the ledger. Signed by the institution, like the following. */
  requestCertification(
    request: {
      ieoId: string;
      level: 'BASIC' | 'ADVANCED' | 'RESEARCH_PARTNER';
      categories?: readonly string[] | null;
      intents?: readonly string[] | null;
      /** What proves that it is deserved: at most 2 000 characters. */
      grounds: string;
    },
    options?: SignedReadOptions,
  ): Promise<responses.OwnCertificationRequest>;
  readCertificationRequest(
    request: { ieoId: string },
    options?: SignedReadOptions,
  ): Promise<responses.OwnCertificationRequest>;
  withdrawCertificationRequest(
    request: { ieoId: string },
    options?: SignedReadOptions,
  ): Promise<responses.OwnCertificationRequest>;
  /** Keeps a request for a consent that is too long for a QR code, until it ends. */
  askConsent(
    request: {
      ieoId: string;
      scope: { readonly intents: readonly string[]; readonly categories: readonly string[] };
      expiresInDays: number | null;
      purpose: string;
      reference?: string | null;
      /** At most 90 days ahead. */
      validUntil: string;
      /** true: for the first who accepts; a domain or an id: for that person; false: for any number of people. */
      once: boolean | string;
    },
    options?: SignedReadOptions,
  ): Promise<responses.KeptConsentRequest>;
  /**
   * Encrypts files on this device and shares them by a SMART Health Link (docs/sharing.md); signed by the holder, like the following.
   * The link contains the key and is returned once. Without a response, call it again with the same object: there is no second share.
   */
  createShare(
    request: NewShare,
    options?: SignedReadOptions,
  ): Promise<responses.CreatedShare & { readonly link: string }>;
  /** The shares of the last 30 days, and who opened them. */
  listShares(request: { beoId: string }, options?: SignedReadOptions): Promise<responses.OwnShares>;
  /** Ends a share at once. */
  stopShare(request: { beoId: string; shareId: string }, options?: SignedReadOptions): Promise<responses.OwnShare>;
  /** How the delivery to an institution's webhook is going; signed by the institution, like the following. */
  readWebhook(request: { ieoId: string }, options?: SignedReadOptions): Promise<responses.Webhook>;
  pauseWebhook(request: { ieoId: string }, options?: SignedReadOptions): Promise<responses.WebhookAfterwards>;
  resumeWebhook(request: { ieoId: string }, options?: SignedReadOptions): Promise<responses.WebhookAfterwards>;
  /** Sends a test now, also during a pause. */
  testWebhook(request: { ieoId: string }, options?: SignedReadOptions): Promise<responses.WebhookAfterwards>;
  /** Sends one event again now: its id and its time. */
  resendEvent(
    request: { ieoId: string; eventId: string; at: string },
    options?: SignedReadOptions,
  ): Promise<responses.WebhookAfterwards>;
  /** Sends the events of a range again, in order. Each end is a cursor or a time; null means all. */
  replayEvents(
    request: { ieoId: string; from: string; until: string | null },
    options?: SignedReadOptions,
  ): Promise<responses.WebhookAfterwards>;
  /**
   * Opens a recovery, signed by the new key: strangers' unsigned requests cannot displace it. After a lost response it opens another
   * one, so that `responseLost` is always false. `newKey` is another name of `key`.
   */
  requestRecovery(
    request: { beoId: string; newPublicKey?: string },
    options?: SignedReadOptions & { readonly newKey?: Signer },
  ): Promise<responses.RecoveryRequest & { readonly responseLost: false }>;
}

interface Parts {
  readonly http: Http;
  readonly ledger: LedgerReads;
  readonly key: Signer | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** The headers of a signed GET; its other fields are in the query. Protocol §1. */
const HEADERS: Readonly<Record<string, string>> = {
  consentToken: 'x-consent-token',
  ledgerId: 'x-ledger-id',
  signature: 'x-signature',
  nonce: 'x-nonce',
  timestamp: 'x-timestamp',
};

/** By function: the path, the fields that are signed, and for a GET those that are not. */
const PLAIN_READS: Readonly<Record<string, readonly [path: string, signed: string, unsigned?: string]>> = {
  readRecords: [
    '/api/exchange/records',
    'targetBeo consentToken',
    'categories biomarkers levels status from to limit offset',
  ],
  sovereignExport: ['/api/exchange/export', 'targetBeo consentToken format'],
  listAccess: ['/api/exchange/access', 'beoId cursor'],
  listGuardians: ['/api/guardian/list', 'beoId'],
  attestGuardian: ['/api/guardian/attest', 'guardianId challenge'],
  listAlerts: ['/api/alerts/list', 'beoId'],
  setAlerts: ['/api/alerts', 'beoId addresses kinds language'],
  startPractice: ['/api/guardian/practise', 'beoId newPublicKey'],
  listReceived: ['/api/consent/received', 'ieoId', 'limit cursor'],
  readEvents: ['/api/events', 'ieoId', 'after limit'],
  requestCertification: ['/api/ieo/certification-request', 'ieoId level categories intents grounds'],
  readCertificationRequest: ['/api/ieo/certification-request/read', 'ieoId'],
  withdrawCertificationRequest: ['/api/ieo/certification-request/withdraw', 'ieoId'],
  askConsent: ['/api/consent/requests', 'ieoId scope expiresInDays purpose reference validUntil once'],
  listShares: ['/api/shares/list', 'beoId'],
  stopShare: ['/api/shares/stop', 'beoId shareId'],
  readWebhook: ['/api/events/webhook', 'ieoId'],
  pauseWebhook: ['/api/events/webhook/pause', 'ieoId'],
  resumeWebhook: ['/api/events/webhook/resume', 'ieoId'],
  testWebhook: ['/api/events/webhook/test', 'ieoId'],
  resendEvent: ['/api/events/webhook/resend', 'ieoId eventId at'],
  replayEvents: ['/api/events/webhook/replay', 'ieoId from until'],
};

const SHARE_MEMBERS = 'beoId label files expiresIn openings passcode direct linkLabel viewer'.split(' ');

export function createSignedReads({ http, ledger, key: ownKey }: Parts): SignedReads {
  const send = async (
    functionName: string,
    path: string,
    given: Fields,
    { key = ownKey ?? undefined, signal }: SignedReadOptions,
    unsigned?: readonly string[],
    hints: Fields = {},
  ) => {
    if (!key) throw new PerpetuaError('CANNOT_SIGN', `${functionName} needs a key.`);
    const { ledgerId } = await ledger.known(signal);
    const filters = Object.entries(given).filter(([name]) => unsigned?.includes(name)) as [string, string][];
    const fields = Object.fromEntries(Object.entries(given).filter(([name]) => !unsigned?.includes(name)));
    const text = await http.read(async (): Promise<HttpRequest> => {
      const { body } = await signRequest(functionName, fields, { key, ledgerId, now: http.now() });
      if (!unsigned) return { method: 'POST', path, body: canonicalJson({ ...body, ...hints } as Json), signal };
      const signed = Object.entries(body).map(([name, value]) => [HEADERS[name] ?? name, String(value)] as const);
      const isHeader = ([name]: readonly [string, string]) => name.startsWith('x-');
      const headers = Object.fromEntries(signed.filter(isHeader));
      const query = Object.fromEntries([...filters, ...signed.filter((member) => !isHeader(member))]);
      return { method: 'GET', path, headers, query, signal };
    });
    return jsonOf<never>(text);
  };
  /** The key that signs, which must be the one that the request names. @throws {PerpetuaError} CANNOT_SIGN */
  const signerOf = (name: string, field: string, named: unknown, key: Signer | null | undefined): Signer => {
    if (!key) throw new PerpetuaError('CANNOT_SIGN', `${name} needs the key of ${field}: { key }.`);
    requireSigner(key);
    if (named === undefined || String(named).toLowerCase() === key.publicKey.toLowerCase()) return key;
    throw cannotSign(field, 'is not the public key of the key that signs');
  };
  const plain = Object.entries(PLAIN_READS).map(([name, [path, signed, unsigned]]) => [
    name,
    async (fields: unknown, options?: SignedReadOptions) => {
      const given = givenOptions(options, `The second argument of ${name}`);
      const notSigned = unsigned?.split(' ');
      const known = [...signed.split(' '), ...(notSigned ?? [])];
      return send(name, path, requireFields(fields, name, known), given, notSigned);
    },
  ]);
  // The types of these methods are those of the interface: a test calls each of them.
  const reads = Object.fromEntries(plain) as SignedReads;

  return {
    ...reads,
    async *events(request, given) {
      const { onCursor, ...options } = givenOptions(given, 'The second argument of events');
      let { after } = requireFields(request, 'events', ['ieoId', 'after', 'limit']) as unknown as EventsRequest;
      let more = true;
      while (more) {
        const page = await reads.readEvents({ ...request, after: after ?? null }, options);
        yield* page.events;
        after = page.next_cursor;
        more = page.has_more;
        onCursor?.(after);
      }
    },
    async listGuarded(request?: object | null, given?: SignedReadOptions | null) {
      // The only argument may be the options.
      const isAlone = !given && isRecord(request) && !('publicKey' in request);
      const [fields, second] = isAlone ? [{}, request as SignedReadOptions] : [request ?? {}, given];
      const options = givenOptions(second, 'The second argument of listGuarded');
      const { publicKey } = requireFields(fields, 'listGuarded', ['publicKey']);
      const key = signerOf('listGuarded', 'publicKey', publicKey, options.key ?? ownKey);
      return send(
        'listGuarded',
        '/api/guardian/guarded',
        { publicKey: publicKey ?? key.publicKey },
        { ...options, key },
      );
    },
    async createShare(request, given) {
      const options = givenOptions(given, 'The second argument of createShare');
      requireFields(request, 'createShare', SHARE_MEMBERS);
      // Loaded with the first share: most programs and pages make none.
      const { makeShare } = await import('./shares.ts');
      return makeShare(request, http.now, (fields, hints) =>
        send('createShare', '/api/shares', fields, options, undefined, hints),
      );
    },
    async practiseRecovery(request, given) {
      const { link, ...options } = givenOptions(given, 'The second argument of practiseRecovery');
      const fields = requireFields(request, 'practiseRecovery', ['practiceId', 'newPublicKey']);
      return send('practiseRecovery', `/api/guardian/practise/${tokenOf(link ?? '')}`, fields, options);
    },
    async requestRecovery(request, given) {
      const { newKey, key: other = newKey, ...options } = givenOptions(given, 'The second argument of requestRecovery');
      const fields = requireFields(request, 'requestRecovery', ['beoId', 'newPublicKey']);
      const key = signerOf('requestRecovery', 'newPublicKey', fields.newPublicKey, other ?? ownKey);
      const body = { newPublicKey: key.publicKey, ...fields };
      const opened = await send('requestRecovery', '/api/relayer/beo/request-recovery', body, { ...options, key });
      return Object.assign(opened, { responseLost: false as const });
    },
  };
}
