import { z } from 'zod';
import { entityReference, oneOf, required, tokenReference } from '../shapes.ts';
import type { RequestForm } from './message.ts';

export const EXPORT_FORMATS = ['JSON', 'CSV', 'FHIR_R4'] as const;
export type ExportFormatName = (typeof EXPORT_FORMATS)[number];

const consentFields = { targetBeo: entityReference, consentToken: required('CONSENT_REQUIRED', tokenReference) };
const introducesNothing = () => ({ keys: [], domains: [] });

/** A grantee reads records; filters are not signed. Not an operation: it writes no entry. Protocol §1, §8. */
export const READ_RECORDS: RequestForm = {
  function: 'readRecords',
  fields: z.strictObject(consentFields),
  hints: {},
  introduces: introducesNothing,
};

/** A grantee exports all records that a token covers, including superseded ones. Protocol §1, §8. */
export const SOVEREIGN_EXPORT: RequestForm = {
  function: 'sovereignExport',
  fields: z.strictObject({ ...consentFields, format: oneOf(EXPORT_FORMATS) }),
  hints: {},
  introduces: introducesNothing,
};

/** A holder lists who has used consents on the records; `cursor` returns the page after that one. An extension. */
export const LIST_ACCESS: RequestForm = {
  function: 'listAccess',
  fields: z.strictObject({ beoId: entityReference, cursor: z.string({ error: 'must be a string' }).nullish() }),
  hints: {},
  introduces: introducesNothing,
};
