import { refusal } from '../../../protocol/errors.ts';
import { jwks as jwkSet, webhookAfterwards, webhookKeys, webhookState } from '../../../protocol/read-responses.ts';
import { READ_WEBHOOK, WEBHOOK_FORMS, type WebhookAction } from '../../../protocol/signing/webhook-requests.ts';
import { readWebhook } from '../../features/events/webhooks/read-webhook.ts';
import { publishedJwks, publishedKeys } from '../../features/events/webhooks/signing.ts';
import { controlWebhook } from '../../features/events/webhooks/webhook-control.ts';
import type { Context } from '../context.ts';
import { type ActionEndpoint, jsonAction, jsonQuery } from './rest-endpoint.ts';

const SIGNER = 'the institution';

export const webhook = jsonAction({
  title: 'Read the delivery to a webhook',
  description: 'Its state, the events that wait, and the last 20 responses of the receiver.',
  signed: { form: READ_WEBHOOK, signer: SIGNER },
  response: webhookState,
  errors: ['IEO_NOT_FOUND', 'IEO_DESTROYED'],
  answer: readWebhook,
});

const control = (name: WebhookAction, title: string, description: string): ActionEndpoint =>
  jsonAction({
    title,
    description,
    changes: true,
    signed: { form: WEBHOOK_FORMS[name], signer: SIGNER },
    response: webhookAfterwards,
    errors: ['IEO_NOT_FOUND', 'IEO_DESTROYED', 'NOT_FOUND'],
    answer: (context, body, { charge }) => controlWebhook(context, name, body, charge),
  });

export const actions: Readonly<Record<WebhookAction, ActionEndpoint>> = {
  pause: control('pause', 'Pause the delivery to a webhook', 'Events wait until it is resumed; none is lost.'),
  resume: control(
    'resume',
    'Resume the delivery to a webhook',
    'The next attempt is made at once, also without a pause.',
  ),
  test: control(
    'test',
    'Send a test to a webhook',
    'Sends a message of the type `webhook.test` now, also during a pause, and returns the response of the receiver.',
  ),
  resend: control(
    'resend',
    'Send an event again',
    'Sends one event now, outside the order, also during a pause. `eventId` and `at` are `id` and `at` of the event.',
  ),
  replay: control(
    'replay',
    'Send the events of a range again',
    'From `from` to `until`, each a time or a cursor of GET /api/events, in order; then delivery continues where it was. With ' +
      '`until` null, or after the last delivered event, everything from `from` on is sent again.',
  ),
};

export const webhookKey = jsonQuery({
  title: 'Read the public keys of webhooks',
  description:
    'As Standard Webhooks writes them. The current key is first; the previous one signs too during a rotation.',
  response: webhookKeys,
  errors: ['NOT_FOUND'],
  answer: (context) => publishedKeys(keysOf(context)),
});

export const jwks = jsonQuery({
  title: 'Read the public keys of webhooks as a JWK set',
  response: jwkSet,
  errors: ['NOT_FOUND'],
  answer: (context) => publishedJwks(keysOf(context)),
});

function keysOf({ webhooks }: Context) {
  if (webhooks.keys.length > 0) return webhooks.keys;
  throw refusal('NOT_FOUND', 'This service does not send events: its operator has set no key for them.');
}
