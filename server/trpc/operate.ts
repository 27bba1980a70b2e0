import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../../protocol/canonical-json.ts';
import { refusal } from '../../protocol/errors.ts';
import { OPERATIONS } from '../../protocol/operations.ts';
import { approverOf } from '../institute/keys.ts';
import { accept, acceptFromInstitute } from '../registry/accept.ts';
import { carriable, MAX_BATCH_BYTES, MAX_BODY_BYTES, tooLarge } from '../rest/json-body.ts';
import { procedure } from './procedure.ts';

/** By name. What comes with a guardian's link has pages and addresses of its own. */
const operations = new Map(
  OPERATIONS.filter(({ routes }) => routes.every(({ link }) => !link)).map((operation) => [operation.name, operation]),
);

/** The shape of `body` is the operation's own, and judged where REST judges it, with the same codes. */
const input = z.strictObject({ operation: z.string(), body: z.record(z.string(), z.unknown()) });

/**
 * Any operation of the table, signed as for REST, charged to the same group, answered with the same body. What the institute
 * decides is not signed: its key comes in the header X-Institute-Key.
 */
export const operate = procedure.input(input).mutation(async ({ ctx, input }) => {
  const { services, limits, address, language = 'en', instituteKey } = ctx;
  const operation = operations.get(input.operation);
  if (!operation) throw refusal('NOT_FOUND');
  const limit = operation.routes[0]?.limit ?? null;
  await limits.charge(limit, { address });
  const approver = operation.signer === 'institute' ? approverOf(services.instituteDigests, instituteKey) : null;
  const body = carriable(input.body as Json);
  const most = limit === 'exchange_submit' ? MAX_BATCH_BYTES : MAX_BODY_BYTES;
  if (Buffer.byteLength(JSON.stringify(body)) > most) throw tooLarge(most);
  const { body: answer } =
    approver === null
      ? await accept(services, operation, body, {
          charge: limits.chargeKey(limit),
          language,
          requestId: randomUUID(),
        })
      : await acceptFromInstitute(services, operation, body, approver);
  services.metrics.accepted(operation.name);
  return answer as { readonly transactionId: string; readonly receipt: string } & Record<string, Json>;
});
