import { ERRORS, type ErrorCode } from '../../../protocol/errors.ts';
import type { Subject, SubjectKind } from '../../../protocol/operation.ts';
import type { AnyOperation } from '../../../protocol/operations.ts';
import type { LimitGroup } from '../limits/groups.ts';
import { isOpen } from '../rest/rest-endpoint.ts';
import type { ActionRoute, OperationRoute, QueryRoute, Route } from '../rest/routes.ts';

const OF_EVERY_REQUEST = ['VALIDATION_FAILED', 'INTERNAL', 'UNAVAILABLE'] as const;
const OF_A_BODY = ['INVALID_JSON', 'UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE'] as const;
const OF_A_SIGNATURE = [
  'NONCE_REQUIRED',
  'NONCE_TOO_SHORT',
  'TIMESTAMP_INVALID',
  'TIMESTAMP_TOO_OLD',
  'TIMESTAMP_IN_FUTURE',
  'SIGNATURE_MISSING',
  'INVALID_SIGNATURE',
  'NONCE_REUSED',
  'WRONG_LEDGER',
] as const;
const OF_AN_INSTITUTE_KEY = ['INSTITUTE_KEY_MISSING', 'INSTITUTE_KEY_INVALID'] as const;
const OF_A_SUBJECT: Readonly<Record<SubjectKind, readonly ErrorCode[]>> = {
  BEO: ['BEO_NOT_FOUND', 'BEO_DESTROYED'],
  IEO: ['IEO_NOT_FOUND', 'IEO_DESTROYED'],
  TOKEN: ['TOKEN_NOT_FOUND'],
  PROPOSAL: ['PROPOSAL_NOT_FOUND'],
};
const OF_A_LINK = ['LINK_NOT_FOUND', 'LINK_EXPIRED', 'LINK_USED', 'REQUEST_CLOSED'] as const;

/** The codes that a route can return, in the order of the table of errors; of several operations, those of `operation`. */
export function errorsOf(route: Route, operation: AnyOperation | null): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...OF_EVERY_REQUEST,
    ...ofLimit(route.limit),
    ...(route.kind === 'operation' || route.kind === 'action' ? OF_A_BODY : []),
    ...(route.kind === 'query' ? ofQuery(route) : []),
    ...(route.kind === 'action' ? ofAction(route) : []),
    ...(route.kind === 'operation' && operation ? ofOperation(route, operation) : []),
  ]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

const ofLimit = (limit: LimitGroup | null): readonly ErrorCode[] => (limit === null ? [] : ['RATE_LIMITED']);

const ofAction = ({ endpoint }: ActionRoute): readonly ErrorCode[] => [
  ...(endpoint.signed ? OF_A_SIGNATURE : isOpen(endpoint) ? [] : OF_AN_INSTITUTE_KEY),
  ...endpoint.errors,
];

const ofQuery = ({ endpoint: { signed, forInstitute, errors } }: QueryRoute): readonly ErrorCode[] => [
  ...(signed ? OF_A_SIGNATURE : []),
  ...(forInstitute ? OF_AN_INSTITUTE_KEY : []),
  ...errors,
];

const ofOperation = ({ link }: OperationRoute, operation: AnyOperation): readonly ErrorCode[] => [
  ...(operation.signer === 'institute' ? [...OF_AN_INSTITUTE_KEY, 'IDEMPOTENCY_KEY_REUSED' as const] : OF_A_SIGNATURE),
  ...Object.values<Subject>(operation.subjects).flatMap(({ kind }) => OF_A_SUBJECT[kind]),
  ...(operation.mustName ? [operation.mustName.code, ...OF_A_SUBJECT.BEO] : []),
  ...(operation.countOnlyMessage ? ['SIGNATURE_DOES_NOT_COVER_RECORDS' as const] : []),
  ...(operation.recalls || operation.sealed ? ['INTEGRITY_FAILED' as const] : []),
  ...(operation.sealed ? ['STORAGE_LIMIT_REACHED' as const] : []),
  ...(link ? OF_A_LINK : []),
  ...operation.errors,
];
