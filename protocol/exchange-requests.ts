import { z } from 'zod';
import type { RequestForm } from './message.ts';
import { entityReference, oneOf, required, tokenReference } from './shapes.ts';

export const EXPORT_FORMATS = ['JSON', 'CSV', 'FHIR_R4'] as const;
export type ExportFormatName = (typeof EXPORT_FORMATS)[number];

const underToken = { targetBeo: entityReference, consentToken: required('CONSENT_REQUIRED', tokenReference) };
const nothing = () => ({ keys: [], domains: [] });

/** A grantee reads records; what it asks for besides is not signed. It is no operation of the ledger. Protocol §1, §8. */
export const READ_RECORDS: RequestForm = {
  function: 'readRecords',
  fields: z.strictObject(underToken),
  hints: {},
  introduces: nothing,
};

/** A grantee takes all that a token covers with it, superseded records included. Protocol §1, §8. */
export const SOVEREIGN_EXPORT: RequestForm = {
  function: 'sovereignExport',
  fields: z.strictObject({ ...underToken, format: oneOf(EXPORT_FORMATS) }),
  hints: {},
  introduces: nothing,
};

/** A holder asks who has used a consent on the records; with the cursor of a page, what comes after that page. An extension. */
export const LIST_ACCESS: RequestForm = {
  function: 'listAccess',
  fields: z.strictObject({ beoId: entityReference, cursor: z.string({ error: 'must be a text' }).nullish() }),
  hints: {},
  introduces: nothing,
};
