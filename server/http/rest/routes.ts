import type { Language } from '../../../messages/languages.ts';
import type { LinkKind } from '../../../protocol/operation.ts';
import type { AnyOperation } from '../../../protocol/operations.ts';
import { OPERATIONS } from '../../../protocol/operations.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { Context } from '../../context.ts';
import type { Charge } from '../../write/submission.ts';
import type { RestResponse } from '../http.ts';
import type { LimitGroup } from '../limits/groups.ts';
import * as exchange from './exchange.ts';
import * as guardians from './guardians.ts';
import * as mail from './mail.ts';
import * as queries from './queries.ts';

export interface Query {
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  header(name: string): string | undefined;
  isLocal(): boolean;
  readonly requestId: string;
}

interface RouteOf<Method extends string> {
  readonly method: Method;
  /** Segments that begin with a colon match any text. */
  readonly path: string;
  /** Null if the route is not limited. */
  readonly limit: LimitGroup | null;
}

export interface QueryRoute extends RouteOf<'GET'> {
  readonly kind: 'query';
  /** The known query parameters; any other is refused. */
  readonly parameters: readonly string[];
  answer(context: Context, query: Query): Promise<RestResponse> | RestResponse;
}

/** A POST whose path is all its input; its body is not read. */
export interface BodylessRoute extends RouteOf<'POST'> {
  readonly kind: 'bodyless';
  readonly parameters: readonly string[];
  answer(context: Context, query: Query): Promise<RestResponse>;
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
  answer(context: Context, body: Json, metadata: RequestMetadata): Promise<RestResponse>;
}

export interface RequestMetadata {
  readonly charge: Charge | null;
  readonly language: Language;
  /** The client's address. */
  readonly address: string;
  readonly requestId: string;
}

export type Route = QueryRoute | BodylessRoute | OperationRoute | ActionRoute;

const query = (
  path: string,
  limit: LimitGroup | null,
  answer: QueryRoute['answer'],
  parameters: readonly string[] = [],
): QueryRoute => ({ kind: 'query', method: 'GET', path, limit, answer, parameters });

const bodyless = (
  path: string,
  limit: LimitGroup,
  answer: BodylessRoute['answer'],
  parameters: readonly string[] = [],
): BodylessRoute => ({ kind: 'bodyless', method: 'POST', path, limit, answer, parameters });

const action = (path: string, limit: LimitGroup, answer: ActionRoute['answer']): ActionRoute => ({
  kind: 'action',
  method: 'POST',
  path,
  limit,
  answer,
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

const FILTERS = ['status', 'ieoType', 'certLevel'];
const PAGE = ['limit', 'cursor'];
const USE = ['intent', 'category', 'level'];

/** The table of routes. Operations declare their own (protocol/operations.ts). */
export const ROUTES: readonly Route[] = [
  ...operationRoutes(),
  action('/api/relayer/beo/request-recovery', 'relayer', guardians.recovery),
  action('/api/guardian/list', 'query', guardians.guardianList),
  action('/api/guardian/guarded', 'query', guardians.guardedList),
  query('/api/beos/domain/:domain', 'query', queries.beoByDomain),
  query('/api/beos/:beoId', 'query', queries.beoByReference),
  query('/api/ieos', 'query', queries.ieos, [...FILTERS, ...PAGE]),
  query('/api/ieos/domain/:domain', 'query', queries.ieoByDomain),
  query('/api/ieos/:ieoId', 'query', queries.ieoByReference),
  query('/api/ieos/:ieoId/certification', 'query', queries.certification),
  query('/api/consent/:tokenId', 'query', queries.consent, USE),
  query('/api/consent/history/:beo_domain', 'query', queries.consentHistory, PAGE),
  query('/api/consent/:tokenId/verify', 'query', queries.consent, USE),
  query('/api/guardian/accept/:token', 'guardian_read', guardians.invitation),
  query('/api/guardian/confirm-recovery/:token', 'guardian_read', guardians.confirmation),
  query('/api/mail/unsubscribe/:token', 'guardian_read', mail.subscription),
  bodyless('/api/mail/unsubscribe/:token', 'guardian_read', mail.unsubscribed, ['lang']),
  bodyless('/api/mail/resubscribe/:token', 'guardian_read', mail.resubscribed, ['lang']),
  query('/api/exchange/records', 'exchange_read', exchange.records, exchange.READ_PARAMETERS),
  action('/api/exchange/export', 'export', exchange.exported),
  action('/api/exchange/access', 'exchange_read', exchange.access),
  query('/api/transactions/:id', 'query', queries.transaction),
  query('/api/ledger', 'query', queries.ledger),
  query('/api/ledger/entries', 'query', queries.ledgerEntries, ['after', 'limit']),
  query('/health', null, queries.health),
  query('/ready', null, queries.ready),
  query('/metrics', null, queries.metrics),
];

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const hasParameter = ({ path }: Route): boolean => path.includes('/:');

const OPEN = ROUTES.filter(hasParameter).map((route) => ({ route, pattern: route.path.split('/') }));

const FIXED = new Map<string, Match[]>();
for (const route of ROUTES.filter((route) => !hasParameter(route))) {
  FIXED.set(route.path, [...(FIXED.get(route.path) ?? []), { route, params: {} }]);
}

/** The routes of a path, for any method; a fixed segment wins over one that matches any text. */
export const routesAt = (path: string): readonly Match[] => FIXED.get(path) ?? openAt(path);

function openAt(path: string): readonly Match[] {
  const segments = path.split('/');
  const matches = OPEN.flatMap(({ route, pattern }): Match[] => {
    const params = match(pattern, segments);
    return params ? [{ route, params }] : [];
  });
  const fewest = Math.min(...matches.map(({ params }) => Object.keys(params).length));
  return matches.filter(({ params }) => Object.keys(params).length === fewest);
}

/** Whether a path belongs to the API, even if it gets a 404. */
export const belongsToApi = (path: string): boolean => /^\/api(\/|$)/.test(path) || routesAt(path).length > 0;

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (!expected.startsWith(':')) {
      if (expected !== segment) return null;
      continue;
    }
    const text = decoded(segment);
    if (!text) return null;
    params[expected.slice(1)] = text;
  }
  return params;
}

function decoded(segment: string): string | null {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
