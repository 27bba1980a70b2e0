import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { refusal } from '../../../protocol/errors.ts';
import { matchingOperation, OPERATIONS } from '../../../protocol/operations.ts';
import { MAX_BATCH_BYTES } from '../../../protocol/records/record.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { JsonObject } from '../../../protocol/signing/message.ts';
import { approverOf } from '../../features/institute/institute-keys.ts';
import { accept } from '../../write/accept.ts';
import { MAX_BODY_BYTES, tooLarge } from '../json-body.ts';
import { ENVELOPE_BYTES, procedure } from './procedure.ts';

/** Operations with a guardian's link have their own pages and routes. */
const operations = OPERATIONS.filter(({ routes }) => routes.every(({ link }) => !link));

/**
 * `body` was checked as JSON when it was read; its shape is checked by the operation, with the same codes as for REST.
 */
const input = z.strictObject({ function: z.string(), body: z.record(z.string(), z.unknown()) });

/**
 * Any operation of the table: signed, charged and answered as for REST. The institute's decisions are not signed; their
 * key is in the X-Institute-Key header, and the Idempotency-Key keeps a repetition from being decided twice.
 */
export const operate = procedure
  .meta({ group: 'trpc_write' })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { services, limits, address, language = 'en', instituteKey, idempotencyKey } = ctx;
    const { bodyBytes = 0, requestId = randomUUID() } = ctx;
    const candidates = operations.filter((operation) => operation.function === input.function);
    const operation = matchingOperation(candidates, input.body as JsonObject);
    const limit = operation ? (operation.routes[0]?.limit ?? null) : 'relayer';
    await limits.charge(limit, { address });
    if (!operation) throw refusal('NOT_FOUND');
    const maxBytes = limit === 'exchange_submit' ? MAX_BATCH_BYTES : MAX_BODY_BYTES;
    if (bodyBytes > maxBytes + ENVELOPE_BYTES) throw tooLarge(maxBytes);
    const body = input.body as Json;
    const approver = operation.signer === 'institute' ? approverOf(services.instituteDigests, instituteKey) : null;
    const { body: answer } = await accept(services, operation, body, {
      approver,
      idempotencyKey,
      charge: limits.chargeKey(limit),
      link: null,
      language,
      address,
      requestId,
    });
    services.metrics.accepted(operation.name);
    await services.publicReads.wrote(address, services.fence.latestSeq());
    return answer as { readonly transactionId: string | null; readonly receipt: string | null } & Record<string, Json>;
  });

/** Which institute key the X-Institute-Key header holds; a mutation, so that it is sent alone, like a decision. @throws INSTITUTE_KEY_INVALID */
export const instituteKey = procedure
  .meta({ group: 'trpc_write' })
  .input(z.strictObject({}))
  .mutation(({ ctx: { services, instituteKey } }) => ({
    approver: approverOf(services.instituteDigests, instituteKey),
  }));
