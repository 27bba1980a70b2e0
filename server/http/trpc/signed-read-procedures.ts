import { z } from 'zod';
import { requestId } from '../../../protocol/read-responses.ts';
import { classifyBiomarker } from '../../../protocol/records/record.ts';
import { isCategory, LEVELS } from '../../../protocol/records/taxonomy.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { WEBHOOK_ACTIONS } from '../../../protocol/signing/webhook-requests.ts';
import { listAlerts, setAlerts as storeAlerts } from '../../features/alerts/set-alerts.ts';
import { EVENT_BOUNDS, listEvents, readEvent } from '../../features/events/list-events.ts';
import { readWebhook } from '../../features/events/webhooks/read-webhook.ts';
import { controlWebhook } from '../../features/events/webhooks/webhook-control.ts';
import { listGuarded } from '../../features/guardians/list-guarded.ts';
import { listGuardians } from '../../features/guardians/list-guardians.ts';
import {
  declineCertificationRequest,
  listCertificationRequests,
  readCertificationRequest,
  requestCertification,
  withdrawCertificationRequest,
} from '../../features/institute/certification-requests.ts';
import { approverOf } from '../../features/institute/institute-keys.ts';
import { listAccess } from '../../features/records/list-access.ts';
import { readRecords } from '../../features/records/read-records.ts';
import { keepConsentRequest, readRequestState } from '../../features/requests/kept-requests.ts';
import { boundedLimit, LIST_BOUNDS, RECORD_BOUNDS } from '../../platform/db/bounds.ts';
import { givenMoment } from '../rest/parameters.ts';
import { procedure } from './procedure.ts';

/** A signed request, as for REST; its shape is checked where REST checks it. */
const body = z.record(z.string(), z.unknown());
const listed = (isKnown: (value: string) => boolean) => z.array(z.string().refine(isKnown)).max(200).nullable();
const moment = givenMoment.nullable();

const cursor = z.string().max(600).nullish();

const filters = z.strictObject({
  categories: listed(isCategory),
  biomarkers: listed((code) => classifyBiomarker(code) !== null),
  levels: listed((level) => LEVELS.includes(level)),
  status: z.enum(['ACTIVE', 'SUPERSEDED']),
  from: moment,
  to: moment,
  limit: boundedLimit(RECORD_BOUNDS),
  offset: z.int().min(0).max(1_000_000_000),
});

/** Signed reads spend a nonce and are mutations, so that nothing of them appears in a URL. */
const exchangeRead = procedure.meta({ group: 'exchange_read' });
const guardianRead = procedure.meta({ group: 'query' }).input(z.strictObject({ body }));

/** Records covered by a consent. Protocol §8. */
export const records = exchangeRead
  .input(z.strictObject({ body, filters }))
  .mutation(({ ctx, input }) => readRecords(ctx.services, input.body as Json, input.filters));

/** Who used consents on a holder's records, for the holder alone. The cursor of a page is signed with the request. */
export const access = exchangeRead
  .input(z.strictObject({ body }))
  .mutation(({ ctx, input }) => listAccess(ctx.services, input.body as Json));

/** A holder's guardians with their names and contacts, for the holder alone. */
export const guardians = guardianRead.mutation(({ ctx, input }) => listGuardians(ctx.services, input.body as Json));

/** Where a holder's alerts go, for the holder alone. Protocol §11. */
export const alerts = procedure
  .meta({ group: 'consent' })
  .input(z.strictObject({ body }))
  .mutation(({ ctx, input }) => listAlerts(ctx.services, input.body as Json));

export const setAlerts = procedure
  .meta({ group: 'consent' })
  .input(z.strictObject({ body }))
  .mutation(({ ctx, input }) => storeAlerts(ctx.services, input.body as Json, { address: ctx.address }));

/** The identities that a key guards, for the holder of that key alone. */
export const guarded = guardianRead.mutation(({ ctx, input }) => listGuarded(ctx.services, input.body as Json));

/** The events of an institution, for the institution alone; the place and the length of the page are not signed. Protocol §9. */
export const events = procedure
  .meta({ group: 'query' })
  .input(z.strictObject({ body, after: cursor, since: moment.optional(), limit: boundedLimit(EVENT_BOUNDS) }))
  .mutation(({ ctx, input: { body: signed, after = null, since = null, limit } }) =>
    listEvents(ctx.services, signed as Json, { after, since, limit }),
  );

/** The event that a message to a webhook was about, for the institution alone. */
export const event = procedure
  .meta({ group: 'query' })
  .input(z.strictObject({ body, id: z.string().max(100), at: givenMoment }))
  .mutation(async ({ ctx, input: { body: signed, id, at } }) => ({
    event: await readEvent(ctx.services, signed as Json, { id, at }),
  }));

/** The delivery to an institution's webhook, for the institution alone. Protocol §9. */
export const webhook = guardianRead.mutation(({ ctx, input }) => readWebhook(ctx.services, input.body as Json));

/** What an institution changes about the delivery to its webhook. Protocol §9. */
export const webhookAction = procedure
  .meta({ group: 'relayer' })
  .input(z.strictObject({ action: z.enum(WEBHOOK_ACTIONS), body }))
  .mutation(({ ctx, input }) =>
    controlWebhook(ctx.services, input.action, input.body as Json, ctx.limits.chargeKey('relayer')),
  );

/** What an institution asks the institute for, for the institution alone. Protocol §11. */
export const certificationRequest = guardianRead.mutation(({ ctx, input }) =>
  readCertificationRequest(ctx.services, input.body as Json),
);

/** Asks for a certification, or takes the request back. */
export const changeCertificationRequest = procedure
  .meta({ group: 'relayer' })
  .input(z.strictObject({ action: z.enum(['request', 'withdraw']), body }))
  .mutation(({ ctx, input }) => {
    const change = input.action === 'request' ? requestCertification : withdrawCertificationRequest;
    return change(ctx.services, input.body as Json, ctx.limits.chargeKey('relayer'));
  });

/** A request for a consent that is too long for a link, kept until it ends. */
export const keepRequest = procedure
  .meta({ group: 'relayer' })
  .input(z.strictObject({ body }))
  .mutation(({ ctx, input }) => keepConsentRequest(ctx.services, input.body as Json, ctx.limits.chargeKey('relayer')));

/** What is known of a request for a consent; a mutation, so that nothing of it appears in a URL. */
export const requestState = procedure
  .meta({ group: 'guardian_read' })
  .input(z.strictObject({ id: requestId }))
  .mutation(({ ctx, input }) => readRequestState(ctx.services, input.id));

/** The open requests for certifications, for the institute; a mutation, so that it is sent alone with the key. */
export const certificationRequests = procedure
  .meta({ group: 'query' })
  .input(z.strictObject({ limit: boundedLimit(LIST_BOUNDS), cursor }))
  .mutation(({ ctx: { services, instituteKey }, input: { limit, cursor: from = null } }) => {
    approverOf(services.instituteDigests, instituteKey);
    return listCertificationRequests(services, { limit, cursor: from });
  });

/** Declines a request, for the institute. */
export const declineRequest = procedure
  .meta({ group: 'relayer' })
  .input(z.strictObject({ body }))
  .mutation(({ ctx: { services, instituteKey }, input }) => {
    approverOf(services.instituteDigests, instituteKey);
    return declineCertificationRequest(services, input.body as Json);
  });
