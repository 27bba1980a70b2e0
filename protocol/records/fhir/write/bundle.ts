import type { Instant } from '../../../entities/recorded.ts';
import type { FhirObject } from '../fhir-json.ts';
import { URI_IDENTIFIER } from '../systems.ts';
import { fhirInstant } from './primitives.ts';

/** The members of a Bundle before its entries. `id` is a UUID. */
export const bundleHead = (id: string, type: 'collection' | 'document', at: Instant): FhirObject => ({
  resourceType: 'Bundle',
  id,
  identifier: { system: URI_IDENTIFIER, value: `urn:uuid:${id}` },
  type,
  timestamp: fhirInstant(at),
});

/** A resource in a Bundle, by its id, which is a UUID. */
export const entryOf = (resource: FhirObject): FhirObject => ({ fullUrl: `urn:uuid:${resource.id}`, resource });
