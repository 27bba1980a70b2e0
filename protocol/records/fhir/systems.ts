/** The project's own systems in FHIR documents. They are the same on every instance. */
export const BIOMARKER_SYSTEM = 'urn:perpetua:fhir:code-system:biomarker';
export const CATEGORY_SYSTEM = 'urn:perpetua:fhir:code-system:category';
export const LEVEL_SYSTEM = 'urn:perpetua:fhir:code-system:level';
export const INTENT_SYSTEM = 'urn:perpetua:fhir:code-system:intent';
export const IEO_TYPE_SYSTEM = 'urn:perpetua:fhir:code-system:ieo-type';
export const RANGE_SYSTEM = 'urn:perpetua:fhir:code-system:reference-range';

export const DOMAIN_IDENTIFIER = 'urn:perpetua:fhir:identifier:domain';
export const TOKEN_IDENTIFIER = 'urn:perpetua:fhir:identifier:consent-token';
/** The submitting institution's id of a record. */
export const CLIENT_RECORD_IDENTIFIER = 'urn:perpetua:fhir:identifier:client-record';
export const ENTRY_IDENTIFIER = 'urn:perpetua:fhir:identifier:ledger-entry';

/** The submitted unit of a record whose value is not a number. */
export const UNIT_EXTENSION = 'urn:perpetua:fhir:extension:unit';
/** From 0 to 1. */
export const CONFIDENCE_EXTENSION = 'urn:perpetua:fhir:extension:confidence';
/** The maximum number of records of a consent, the newest. */
export const MAX_RECORDS_EXTENSION = 'urn:perpetua:fhir:extension:max-records';
/** commitment, salt, index: see docs of the JSON export. */
export const PROOF_EXTENSION = 'urn:perpetua:fhir:extension:record-proof';

/** R4: "This observation replaces a previous observation (i.e. a revised value)." */
export const REPLACES_EXTENSION = 'http://hl7.org/fhir/StructureDefinition/observation-replaces';
export const DATA_ABSENT_EXTENSION = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';

/** R4's system of identifiers that are URIs themselves. */
export const URI_IDENTIFIER = 'urn:ietf:rfc:3986';
export const LOINC = 'http://loinc.org';
export const UCUM = 'http://unitsofmeasure.org';

/** A code system of HL7. */
export const hl7 = (name: string): string => `http://terminology.hl7.org/CodeSystem/${name}`;
