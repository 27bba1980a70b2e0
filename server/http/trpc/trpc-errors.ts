import { TRPCError } from '@trpc/server';
import { ERRORS, type ErrorCode, type ErrorDetails } from '../../../protocol/errors.ts';

/** An error as the client sees it: a code of the error table (protocol §5), its sentence and its details. */
export interface PublicError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails;
}

const TRPC_CODES = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  410: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  423: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<(typeof ERRORS)[ErrorCode][0], TRPCError['code']>;

const isCode = (value: unknown): value is ErrorCode => typeof value === 'string' && Object.hasOwn(ERRORS, value);

/**
 * Maps an error to the error table. A refusal is recognized by its code, not its class, because Next bundles its own
 * copies of modules. Any other error becomes INTERNAL without details.
 */
export function publicError(failure: unknown): PublicError {
  if (!(failure instanceof TRPCError)) return refusalIn(failure) ?? plain('INTERNAL');
  return refusalIn(failure.cause) ?? plain(OF_TRANSPORT[failure.code] ?? 'INTERNAL');
}

/** The same error with the status for tRPC. */
export function asTrpcError(failure: unknown): TRPCError {
  const { code, message } = publicError(failure);
  const cause = failure instanceof TRPCError ? failure.cause : failure;
  return new TRPCError({ code: TRPC_CODES[ERRORS[code][0]], message, cause });
}

const OF_TRANSPORT: Partial<Record<TRPCError['code'], ErrorCode>> = {
  BAD_REQUEST: 'VALIDATION_FAILED',
  PARSE_ERROR: 'INVALID_JSON',
  NOT_FOUND: 'NOT_FOUND',
  METHOD_NOT_SUPPORTED: 'METHOD_NOT_ALLOWED',
  PAYLOAD_TOO_LARGE: 'BODY_TOO_LARGE',
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
};

const plain = (code: ErrorCode): PublicError => ({ code, message: ERRORS[code][1] });

function refusalIn(value: unknown): PublicError | null {
  if (!(value instanceof Error) || !('code' in value) || !isCode(value.code)) return null;
  const details = 'details' in value ? (value.details as ErrorDetails | undefined) : undefined;
  return { code: value.code, message: value.message, ...(details && { details }) };
}
