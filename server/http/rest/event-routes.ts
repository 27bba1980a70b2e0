import { z } from 'zod';
import { eventPage } from '../../../protocol/event-shapes.ts';
import { READ_EVENTS } from '../../../protocol/signing/event-requests.ts';
import { EVENT_BOUNDS, listEvents } from '../../features/events/list-events.ts';
import { cursor, pageLimit } from './parameters.ts';
import { jsonQuery } from './rest-endpoint.ts';

export const events = jsonQuery({
  title: 'List the events of an institution',
  description: 'Oldest first. `after` and `limit` are not signed.',
  signed: { form: READ_EVENTS, signer: 'the institution' },
  parameters: z.strictObject({
    after: cursor.meta({ description: 'The `next_cursor` of the page before; absent for the first page.' }),
    limit: pageLimit(EVENT_BOUNDS),
  }),
  response: eventPage,
  errors: ['IEO_NOT_FOUND', 'IEO_DESTROYED'],
  answer: (context, { signed, parameters }) => listEvents(context, signed, parameters),
});
