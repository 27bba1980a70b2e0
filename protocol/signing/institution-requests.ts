import { z } from 'zod';
import { entityReference } from '../shapes.ts';
import type { RequestForm } from './message.ts';

/** An institution lists the consents it received; the position in the list is not signed. An extension. */
export const LIST_RECEIVED: RequestForm = {
  function: 'listReceived',
  fields: z.strictObject({ ieoId: entityReference }),
  hints: {},
  introduces: () => ({ keys: [], domains: [] }),
};
