import { z } from 'zod';
import { entityReference } from '../shapes.ts';
import type { RequestForm } from './message.ts';

/** A request that an institution signs about itself and that writes no ledger entry. */
export const institutionForm = (name: string, fields: z.ZodRawShape = {}): RequestForm => ({
  function: name,
  fields: z.strictObject({ ieoId: entityReference, ...fields }),
  hints: {},
  introduces: () => ({ keys: [], domains: [] }),
});
