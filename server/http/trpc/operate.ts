import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../../../protocol/canonical-json.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { JsonObject } from '../../../protocol/message.ts';
import { matchingOperation, OPERATIONS } from '../../../protocol/operations.ts';
import { approverOf } from '../../institute/keys.ts';
import { accept } from '../../write/accept.ts';
import { MAX_BATCH_BYTES, MAX_BODY_BYTES, tooLarge } from '../json-body.ts';
import { ENVELOPE_BYTES, procedure } from './procedure.ts';

/** Operations that come with a guardian's link have pages and addresses of their own. */
const operations = OPERATIONS.filter(({ routes }) => routes.every(({ link }) => !link));

/** What a request held was checked when it was read; the shape of `body` is the operation's own, and judged where REST judges it, with the same codes. */
const input = z.strictObject({ function: z.string(), body: z.record(z.string(), z.unknown()) });

/**
 * Any operation of the table, signed as for REST, charged to the same group, answered with the same body. What the institute
 * decides is not signed: its key comes in the header X-Institute-Key.
 */
export const operate = procedure
  .meta({ group: 'trpc_write' })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { services, limits, address, language = 'en', instituteKey, bodyBytes = 0, requestId = randomUUID() } = ctx;
    const candidates = operations.filter((operation) => operation.function === input.function);
    const operation = matchingOperation(candidates, input.body as JsonObject);
    const limit = operation ? (operation.routes[0]?.limit ?? null) : 'relayer';
    await limits.charge(limit, { address });
    if (!operation) throw refusal('NOT_FOUND');
    const most = limit === 'exchange_submit' ? MAX_BATCH_BYTES : MAX_BODY_BYTES;
    if (bodyBytes > most + ENVELOPE_BYTES) throw tooLarge(most);
    const body = input.body as Json;
    const approver = operation.signer === 'institute' ? approverOf(services.instituteDigests, instituteKey) : null;
    const { body: answer } = await accept(services, operation, body, {
      approver,
      charge: limits.chargeKey(limit),
      link: null,
      language,
      address,
      requestId,
    });
    services.metrics.accepted(operation.name);
    return answer as { readonly transactionId: string; readonly receipt: string } & Record<string, Json>;
  });
