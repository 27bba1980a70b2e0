import { canonicalJson, type Json } from '../protocol/signing/canonical-json.ts';
import { givenOptions, isRecord, requireFields, requireText } from './arguments.ts';
import { PerpetuaError } from './errors.ts';
import { type Http, type HttpRequest, jsonOf } from './http.ts';
import { type LedgerReads, type LedgerState, type Transaction, type WaitOptions, waitUntilFinal } from './ledger.ts';
import type * as responses from './types.ts';
import type { Beo, Certification, Ieo, Proof } from './types.ts';
import { tokenOf } from './write.ts';

export interface ReadOptions {
  readonly signal?: AbortSignal;
}

export interface InstituteOptions extends ReadOptions {
  /** By default the client's. */
  readonly instituteKey?: string;
}

export interface Page {
  readonly limit?: number;
  /** The next_cursor of the page before. */
  readonly cursor?: string | null;
}

/** `limit` is 1 to 200; by default 50. */
export interface IeoFilters extends Page {
  readonly status?: string;
  readonly ieoType?: string;
  readonly certLevel?: string;
}

export interface TokenUse {
  readonly intent?: string;
  readonly category?: string;
  readonly level?: string;
}

/** A text, or an object with the field of this name. */
export type Named<Field extends string> = string | { readonly [Name in Field]: string };

/** The reads that need no signature. An identity, institution or consent may be named by any form that the API takes: docs/api.md. */
export interface Reads {
  getBEO(reference: Named<'beoId'>, options?: ReadOptions): Promise<Beo>;
  getBEOByDomain(domain: Named<'domain'>, options?: ReadOptions): Promise<Beo>;
  /** The public events of an identity and its consents, newest first. `limit` is 1 to 200; by default 50. */
  getBEOFeed(reference: Named<'beoId'>, page?: Page, options?: ReadOptions): Promise<responses.Feed>;
  getIEO(reference: Named<'ieoId'>, options?: ReadOptions): Promise<Ieo>;
  getIEOByDomain(domain: Named<'domain'>, options?: ReadOptions): Promise<Ieo>;
  /** The public events of an institution, in the same form. */
  getIEOFeed(reference: Named<'ieoId'>, page?: Page, options?: ReadOptions): Promise<responses.Feed>;
  /** One page, newest first. */
  listIEOs(filters?: IeoFilters, options?: ReadOptions): Promise<responses.IeoPage>;
  /** Active institutions whose name or domain has words that begin with those of `name`. `limit` 1 to 20. */
  searchIEOs(request: { name: string; limit?: number }, options?: ReadOptions): Promise<readonly Ieo[]>;
  getCertification(reference: Named<'ieoId'>, options?: ReadOptions): Promise<Certification>;
  /** Whether a consent is valid now, and for this use. An unknown token is not valid; it is no error. */
  verifyToken(tokenId: Named<'tokenId'>, use?: TokenUse, options?: ReadOptions): Promise<responses.TokenVerdict>;
  /** Every consent that a person granted, newest first; without a limit the whole history. */
  getConsentHistory(beo: Named<'beo_domain'>, page?: Page, options?: ReadOptions): Promise<responses.TokenPage>;
  /** The institute's proposals, newest first; needs an institute key. */
  listProposals(page?: Page, options?: InstituteOptions): Promise<responses.ProposalPage>;
  getProposal(reference: Named<'proposalId'>, options?: InstituteOptions): Promise<responses.ListedProposal>;
  /** What institutions ask the institute for; needs an institute key, like declining it with a reason. */
  listCertificationRequests(page?: Page, options?: InstituteOptions): Promise<responses.CertificationRequestPage>;
  declineCertificationRequest(
    /** `requestedAt` is that of the request as it was listed. */
    request: { readonly ieoId: string; readonly requestedAt: string; readonly reason: string },
    options?: InstituteOptions,
  ): Promise<responses.OwnCertificationRequest>;
  /** A request of an institution for a consent. */
  getConsentRequest(id: Named<'requestId'>, options?: ReadOptions): Promise<responses.ConsentRequestState>;
  /** What a guardian's link is about; `link` is its URL or its token. */
  getInvitation(link: Named<'link'>, options?: ReadOptions): Promise<responses.Invitation>;
  getRecoveryConfirmation(link: Named<'link'>, options?: ReadOptions): Promise<responses.RecoveryConfirmation>;
  /** Whether the address of a link at the end of a mail receives mail. */
  getSubscription(link: Named<'link'>, options?: ReadOptions): Promise<boolean>;
  unsubscribe(link: Named<'link'>, options?: ReadOptions): Promise<boolean>;
  resubscribe(link: Named<'link'>, options?: ReadOptions): Promise<boolean>;
  /** What the link in the mail to a new address of a holder confirms. */
  getAlertLink(link: Named<'link'>, options?: ReadOptions): Promise<responses.AlertLink>;
  confirmAlertAddress(link: Named<'link'>, options?: ReadOptions): Promise<responses.AlertLink>;
  /** The keys that verifyWebhook takes: the current one, then the previous one during a rotation. */
  getWebhookKeys(options?: ReadOptions): Promise<readonly string[]>;
  getJwks(options?: ReadOptions): Promise<{ readonly keys: readonly responses.Jwk[] }>;
  getHealth(options?: ReadOptions): Promise<responses.Health>;
  /** Also where the service is unavailable. */
  getReadiness(options?: ReadOptions): Promise<responses.Readiness>;
  /** Prometheus text. */
  getMetrics(options?: ReadOptions): Promise<string>;

  /** One operation, verified. */
  getTransaction(id: Named<'id'>, options?: ReadOptions): Promise<Transaction>;
  /** Waits until an operation is FINAL on the storage network, as the server states it. */
  waitUntilFinal(id: Named<'id'>, options?: WaitOptions): Promise<Transaction>;
  /** Everything needed to check an operation offline, with verifyProof. */
  getProof(id: Named<'id'>, options?: ReadOptions): Promise<Proof>;
  /** The proof that an entry is in the transparency log, for verifyInclusionProof. There is none before the entry is FINAL. */
  getInclusionProof(id: Named<'id'>, options?: ReadOptions): Promise<string>;
  /** The signed head, verified against what this client has seen. */
  getLedger(options?: ReadOptions): Promise<LedgerState>;
  /** The entries after a number, verified and in one chain. `limit` 1 to 1000, by default 100. */
  listEntries(range?: { after?: number; limit?: number }, options?: ReadOptions): Promise<Transaction[]>;
}

/** A path with the name of a reference after `:`, or `*` for a link; the member that is returned, if not all; what differs from a plain GET. */
type PlainRead = readonly [path: string, member?: string | null, differences?: Partial<HttpRequest>];

export const PLAIN_READS: Readonly<Record<string, PlainRead>> = {
  getBEO: ['/api/beos/:beoId', 'beo'],
  getBEOByDomain: ['/api/beos/domain/:domain', 'beo'],
  getBEOFeed: ['/api/beos/:beoId/feed?'],
  getIEO: ['/api/ieos/:ieoId', 'ieo'],
  getIEOByDomain: ['/api/ieos/domain/:domain', 'ieo'],
  getIEOFeed: ['/api/ieos/:ieoId/feed?'],
  listIEOs: ['/api/ieos?'],
  searchIEOs: ['/api/ieos/search?', 'ieos'],
  getCertification: ['/api/ieos/:ieoId/certification'],
  verifyToken: ['/api/consent/:tokenId/verify?'],
  getConsentHistory: ['/api/consent/history/:beo_domain?'],
  listProposals: ['/api/ieo/proposals?'],
  getProposal: ['/api/ieo/proposals/:proposalId', 'proposal'],
  listCertificationRequests: ['/api/ieo/certification-requests?'],
  getConsentRequest: ['/api/consent/requests/:requestId'],
  getInvitation: ['/api/guardian/accept/*'],
  getRecoveryConfirmation: ['/api/guardian/confirm-recovery/*'],
  getSubscription: ['/api/mail/unsubscribe/*', 'subscribed'],
  unsubscribe: ['/api/mail/unsubscribe/*', 'subscribed', { method: 'POST' }],
  resubscribe: ['/api/mail/resubscribe/*', 'subscribed', { method: 'POST' }],
  getAlertLink: ['/api/alerts/confirm/*'],
  confirmAlertAddress: ['/api/alerts/confirm/*', null, { method: 'POST' }],
  getProof: ['/api/ledger/proof/:id'],
  getWebhookKeys: ['/.well-known/webhook-key', 'keys'],
  getJwks: ['/.well-known/jwks.json'],
  getHealth: ['/health'],
  getReadiness: ['/ready', null, { accepts: 503 }],
};

/** The text of an argument, or of its member `name`. @throws {PerpetuaError} ARGUMENT_INVALID */
const textOf = (method: string, name: string, given: unknown): string =>
  requireText(isRecord(given) ? given[name] : given, `The ${name} of ${method}`);

/** The reads that need a key of the institute. */
const FOR_INSTITUTE = /\/(proposals|certification-requests)/;

/** The arguments of a method: what its path has a place for, then the options. */
function requestOf(
  method: string,
  [template, , differences]: PlainRead,
  given: unknown[],
  ownKey: string | null,
): HttpRequest {
  const path = template.replace(/:(\w+)|\*/, (_, name: string | undefined) => {
    const reference = textOf(method, name ?? 'link', given.shift());
    return encodeURIComponent(name === undefined ? tokenOf(reference) : reference);
  });
  const filters = (template.endsWith('?') ? given.shift() : null) ?? {};
  if (!isRecord(filters)) {
    throw new PerpetuaError('ARGUMENT_INVALID', `The filters of ${method} must be an object.`);
  }
  const [options] = given as [InstituteOptions?];
  const { signal, instituteKey = ownKey } = givenOptions(options, `The last argument of ${method}`);
  const headers = instituteKey && FOR_INSTITUTE.test(template) ? { 'x-institute-key': instituteKey } : {};
  const query = filters as NonNullable<HttpRequest['query']>;
  return { method: 'GET', path: path.replace('?', ''), query, headers, signal, ...differences };
}

export function createReads(http: Http, ledger: LedgerReads, instituteKey: string | null): Reads {
  const plain = Object.entries(PLAIN_READS).map(([name, read]) => [
    name,
    async (...given: unknown[]) => {
      const request = requestOf(name, read, given, instituteKey);
      const body = jsonOf<Record<string, unknown>>(await http.read(() => request));
      return read[1] ? body[read[1]] : body;
    },
  ]);
  return {
    // The types of these methods are those of the interface: a test calls each of them.
    ...(Object.fromEntries(plain) as Reads),
    declineCertificationRequest: async (request, options) => {
      const name = 'declineCertificationRequest';
      const body = canonicalJson(requireFields(request, name, ['ieoId', 'requestedAt', 'reason']) as Json);
      const { signal, instituteKey: key = instituteKey } = givenOptions(options, `The second argument of ${name}`);
      const headers = key ? { 'x-institute-key': key } : {};
      const path = '/api/ieo/certification-request/decline';
      return jsonOf(await http.read(() => ({ method: 'POST', path, body, headers, signal })));
    },
    getMetrics: async (options) => {
      const { signal } = givenOptions(options, 'The argument of getMetrics');
      return http.read(() => ({ method: 'GET', path: '/metrics', signal }));
    },
    getInclusionProof: async (...given) => {
      const request = requestOf('getInclusionProof', ['/tlog/proof/:id'], given, null);
      return http.read(() => request);
    },
    getTransaction: async (id, options) => {
      const { signal } = givenOptions(options, 'The last argument of getTransaction');
      return ledger.transaction(textOf('getTransaction', 'id', id), signal);
    },
    waitUntilFinal: async (id, options) => {
      const given = givenOptions(options, 'The last argument of waitUntilFinal');
      return waitUntilFinal(ledger, http, textOf('waitUntilFinal', 'id', id), given);
    },
    getLedger: async (options) => ledger.state(givenOptions(options, 'The argument of getLedger').signal),
    listEntries: async (range, options) => {
      const { after = 0, limit = 100 } = givenOptions(range, 'The range of listEntries');
      return ledger.entries(after, limit, givenOptions(options, 'The last argument of listEntries').signal);
    },
  };
}
