import { z } from 'zod';
import { entityReference } from '../shapes.ts';
import type { RequestForm } from './message.ts';

/** An institution reads its events; the place and the length of the page are not signed. Not an operation. Protocol §9. */
export const READ_EVENTS: RequestForm = {
  function: 'readEvents',
  fields: z.strictObject({ ieoId: entityReference }),
  hints: {},
  introduces: () => ({ keys: [], domains: [] }),
};
