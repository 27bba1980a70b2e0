import type { LinkKind } from '../../../protocol/operation.ts';
import type { AnyOperation } from '../../../protocol/operations.ts';
import { OPERATIONS } from '../../../protocol/operations.ts';
import { WEBHOOK_ACTIONS } from '../../../protocol/signing/webhook-requests.ts';
import type { LimitGroup } from '../limits/groups.ts';
import { openApiDocument } from '../openapi/document.ts';
import { documentEndpoint } from '../openapi/endpoint.ts';
import { describeApi } from '../openapi/model.ts';
import * as alerts from './alert-routes.ts';
import * as certifications from './certification-routes.ts';
import { events } from './event-routes.ts';
import * as exchange from './exchange-routes.ts';
import { identityFeed, institutionFeed } from './feed-routes.ts';
import * as guardians from './guardian-routes.ts';
import { ledgerStream } from './ledger-stream.ts';
import * as mail from './mail-routes.ts';
import * as queries from './queries.ts';
import * as requests from './request-routes.ts';
import { type ActionEndpoint, isOpen, type QueryEndpoint } from './rest-endpoint.ts';
import * as shares from './share-routes.ts';
import * as transparency from './transparency-routes.ts';
import * as webhooks from './webhook-routes.ts';

interface RouteOf<Method extends string> {
  readonly method: Method;
  /** Segments that begin with a colon match any text, a last one that begins with an asterisk all that follows. */
  readonly path: string;
  /** Null if the route is not limited. */
  readonly limit: LimitGroup | null;
}

/** A read, or a POST whose path is all its input and whose body is not read. */
export interface QueryRoute extends RouteOf<'GET' | 'POST'> {
  readonly kind: 'query';
  readonly endpoint: QueryEndpoint;
}

export interface OperationRoute extends RouteOf<'POST' | 'DELETE'> {
  readonly kind: 'operation';
  /** Several if the body decides between them. */
  readonly operations: readonly AnyOperation[];
  /** The signed field of each path parameter. */
  readonly takes: Readonly<Record<string, string>>;
  /** The kind of link that `:token` belongs to. */
  readonly link: LinkKind | null;
}

/** A POST that is not a ledger operation. */
export interface ActionRoute extends RouteOf<'POST'> {
  readonly kind: 'action';
  readonly endpoint: ActionEndpoint;
}

export type Route = QueryRoute | OperationRoute | ActionRoute;

const query = (path: string, limit: LimitGroup | null, endpoint: QueryEndpoint): QueryRoute => ({
  kind: 'query',
  method: 'GET',
  path,
  limit,
  endpoint,
});

const bodyless = (path: string, limit: LimitGroup, endpoint: QueryEndpoint): QueryRoute => ({
  ...query(path, limit, endpoint),
  method: 'POST',
});

const action = (path: string, limit: LimitGroup, endpoint: ActionEndpoint): ActionRoute => ({
  kind: 'action',
  method: 'POST',
  path,
  limit,
  endpoint,
});

function operationRoutes(): OperationRoute[] {
  const all = OPERATIONS.flatMap((operation) => operation.routes.map((route) => ({ operation, route })));
  const first = all.filter(({ route }, index) => index === all.findIndex((other) => isSame(other.route, route)));
  return first.map(({ route: { takes = {}, link = null, ...route } }) => ({
    kind: 'operation',
    ...route,
    takes,
    link,
    operations: all.flatMap((other) => (isSame(other.route, route) ? [other.operation] : [])),
  }));
}

type Address = { readonly method: string; readonly path: string };
const isSame = (one: Address, other: Address): boolean => one.method === other.method && one.path === other.path;

/** The table of routes. Operations declare their own (protocol/operations.ts). */
export const ROUTES: readonly Route[] = [
  ...operationRoutes(),
  action('/api/relayer/beo/request-recovery', 'relayer', guardians.recovery),
  action('/api/guardian/list', 'query', guardians.guardians),
  action('/api/guardian/guarded', 'query', guardians.guarded),
  action('/api/guardian/attest', 'consent', guardians.attested),
  action('/api/guardian/practise', 'consent', guardians.practice),
  action('/api/guardian/practise/:token', 'consent', guardians.practised),
  query('/api/beos/domain/:domain', 'query', queries.beoByDomain),
  query('/v1/beo/resolve/:domain', 'query', queries.beoByDomain),
  query('/api/beos/:beoId', 'query', queries.beoByReference),
  query('/api/beos/:beoId/feed', 'query', identityFeed),
  query('/api/ieos', 'query', queries.ieos),
  query('/api/ieo', 'query', queries.ieos),
  query('/api/ieos/search', 'query', queries.ieosByName),
  query('/api/ieos/domain/:domain', 'query', queries.ieoByDomain),
  query('/api/ieos/:ieoId', 'query', queries.ieoByReference),
  query('/api/ieos/:ieoId/certification', 'query', queries.certification),
  query('/api/ieos/:ieoId/feed', 'query', institutionFeed),
  query('/api/ieo/certification-requests', 'query', certifications.open),
  action('/api/ieo/certification-request', 'relayer', certifications.requested),
  action('/api/ieo/certification-request/read', 'query', certifications.own),
  action('/api/ieo/certification-request/withdraw', 'relayer', certifications.withdrawn),
  action('/api/ieo/certification-request/decline', 'relayer', certifications.declined),
  query('/api/ieo/proposals', 'query', queries.proposals),
  query('/api/ieo/proposals/:proposalId', 'query', queries.proposal),
  query('/api/consent/received', 'query', queries.receivedConsents),
  query('/api/consent/:tokenId', 'query', queries.consent),
  query('/api/consent/history/:beo_domain', 'query', queries.consentHistory),
  action('/api/consent/requests', 'relayer', requests.kept),
  query('/api/consent/requests/:requestId', 'guardian_read', requests.state),
  query('/api/consent/:tokenId/verify', 'query', queries.consent),
  query('/api/guardian/accept/:token', 'guardian_read', guardians.invitation),
  query('/api/guardian/confirm-recovery/:token', 'guardian_read', guardians.confirmation),
  query('/api/mail/unsubscribe/:token', 'guardian_read', mail.subscription),
  bodyless('/api/mail/unsubscribe/:token', 'guardian_read', mail.unsubscribed),
  bodyless('/api/mail/resubscribe/:token', 'guardian_read', mail.resubscribed),
  action('/api/alerts', 'consent', alerts.set),
  action('/api/alerts/list', 'consent', alerts.own),
  query('/api/alerts/confirm/:token', 'guardian_read', alerts.link),
  bodyless('/api/alerts/confirm/:token', 'guardian_read', alerts.confirmed),
  query('/api/exchange/records', 'exchange_read', exchange.records),
  action('/api/exchange/export', 'export', exchange.exported),
  action('/api/exchange/access', 'exchange_read', exchange.access),
  action('/api/shares', 'consent', shares.created),
  action('/api/shares/list', 'consent', shares.listed),
  action('/api/shares/stop', 'consent', shares.stopped),
  action('/api/shares/:id/manifest', 'share_read', shares.manifest),
  query('/api/shares/:id/manifest', 'share_read', shares.onlyFile),
  query('/api/shares/files/:ticket', 'share_read', shares.file),
  query('/api/events', 'query', events),
  action('/api/events/webhook', 'query', webhooks.webhook),
  ...WEBHOOK_ACTIONS.map((name) => action(`/api/events/webhook/${name}`, 'relayer', webhooks.actions[name])),
  query('/.well-known/webhook-key', 'query', webhooks.webhookKey),
  query('/.well-known/jwks.json', 'query', webhooks.jwks),
  query('/api/transactions/:id', 'query', queries.transaction),
  query('/api/ledger', 'query', queries.ledger),
  query('/api/ledger/proof/:id', 'query', transparency.ledgerProof),
  query('/api/ledger/entries', 'query', queries.ledgerEntries),
  query('/api/ledger/stream', 'query', ledgerStream),
  query('/tlog/checkpoint', 'log_read', transparency.checkpoint),
  query('/tlog/tile/:tileLevel/*tileIndex', 'log_read', transparency.tile),
  query('/tlog/proof/:id', 'query', transparency.proof),
  query(
    '/api/openapi.json',
    'query',
    documentEndpoint(() => openApiDocument(describeApi(ROUTES))),
  ),
  query('/health', null, queries.health),
  query('/ready', null, queries.ready),
  query('/metrics', null, queries.metrics),
];

/** Whether any page may send it: it needs no signature, no key, and no link of a guardian. */
export const isPublic = (route: Route): boolean =>
  route.kind === 'query'
    ? route.endpoint.signed === null && !route.endpoint.forInstitute && route.limit !== 'guardian_read'
    : route.kind === 'action' && isOpen(route.endpoint);

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const hasParameter = ({ path }: Route): boolean => /\/[:*]/.test(path);

interface Pattern {
  readonly route: Route;
  readonly segments: readonly Segment[];
}

interface Segment {
  readonly kind: 'fixed' | 'parameter' | 'rest';
  /** The text of a fixed segment, the name of a parameter. */
  readonly text: string;
}

const patternOf = (route: Route): Pattern => ({ route, segments: route.path.split('/').map(segmentOf) });

function segmentOf(text: string): Segment {
  if (text.startsWith(':')) return { kind: 'parameter', text: text.slice(1) };
  return text.startsWith('*') ? { kind: 'rest', text: text.slice(1) } : { kind: 'fixed', text };
}

/** What the segments of a pattern and of its paths begin with; no pattern has a parameter there. */
const beginningOf = ([, first = '', second = '']: readonly string[]): string => `${first}/${second}`;

const FIXED = new Map<string, Match[]>();
const OPEN = new Map<string, Pattern[]>();
for (const route of ROUTES) {
  if (hasParameter(route)) addTo(OPEN, beginningOf(route.path.split('/')), patternOf(route));
  else addTo(FIXED, route.path, { route, params: {} });
}

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

/** The routes of a path, for any method; a fixed segment wins over one that matches any text. */
export const routesAt = (path: string): readonly Match[] => FIXED.get(path) ?? openAt(path);

function openAt(path: string): readonly Match[] {
  const segments = path.split('/');
  const matches: Match[] = [];
  for (const { route, segments: pattern } of OPEN.get(beginningOf(segments)) ?? []) {
    const params = match(pattern, segments);
    if (params) matches.push({ route, params });
  }
  if (matches.length < 2) return matches;
  const fewest = Math.min(...matches.map(({ params }) => Object.keys(params).length));
  return matches.filter(({ params }) => Object.keys(params).length === fewest);
}

/** Whether a path belongs to the API, even if it gets a 404. */
export const belongsToApi = (path: string): boolean => /^\/(api(\/|$)|mcp$)/.test(path) || routesAt(path).length > 0;

function match(pattern: readonly Segment[], segments: readonly string[]): Record<string, string> | null {
  const takesRest = pattern.at(-1)?.kind === 'rest';
  if (takesRest ? segments.length < pattern.length : segments.length !== pattern.length) return null;
  if (pattern.some(({ kind, text }, index) => kind === 'fixed' && text !== segments[index])) return null;
  const params: Record<string, string> = {};
  for (const [index, { kind, text: name }] of pattern.entries()) {
    if (kind === 'fixed') continue;
    const text = decoded(kind === 'rest' ? segments.slice(index).join('/') : (segments[index] ?? ''));
    if (!text) return null;
    params[name] = text;
  }
  return params;
}

/** What is not UTF-8 stays as it is: `readTarget` has found its path not acceptable, so no parameter of it is used. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
